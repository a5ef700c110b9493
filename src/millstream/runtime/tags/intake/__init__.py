"""Sources in which tags and tuples follow one another."""
