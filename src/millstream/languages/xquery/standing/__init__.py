"""Continuous queries over histories: what they depend on, read from their texts."""

from millstream.languages.xquery.standing.registration import asks_history, standing_query

__all__ = ["asks_history", "standing_query"]
