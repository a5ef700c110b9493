"""The intake: a growing set of files, read as one linear stream of chunks."""
