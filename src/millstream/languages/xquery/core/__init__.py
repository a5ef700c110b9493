"""XCQL to the algebra of histories: texts in, expressions with resolved paths out."""

from millstream.languages.xquery.core.module import lower_history

__all__ = ["lower_history"]
