"""From syntax trees to the algebra, by what the schemas of the streams say."""

from millstream.languages.xquery.lowering.catalog import Catalog
from millstream.languages.xquery.lowering.query import lower

__all__ = ["Catalog", "lower"]
