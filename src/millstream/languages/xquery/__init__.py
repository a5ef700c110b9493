"""The XQuery core with windows: texts to syntax trees and back, and on to the algebra."""

from millstream.algebra.operators import Query
from millstream.errors import MillstreamError
from millstream.languages.xquery.lowering import Catalog, lower
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.unparser import unparse

__all__ = ["Catalog", "compile_text", "lower", "parse", "unparse"]


def compile_text(text: str, catalog: Catalog) -> Query:
    """The algebra of a query text; errors know the text that their spans point into."""
    try:
        return lower(parse(text), catalog)
    except MillstreamError as error:
        raise error.with_text(text) from None
