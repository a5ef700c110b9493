"""Tuning in: a stream that another Millstream serves is a source, by its address."""
