"""Tuples and the tags on them in Spark SQL."""
