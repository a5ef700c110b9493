"""The XQuery core with time, every path resolved against the tag structures it goes through."""
