"""The XQuery core: texts to syntax trees, and back."""

from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.unparser import unparse

__all__ = ["parse", "unparse"]
