"""From checked syntax trees of TAG-QL to the algebra."""

from millstream.languages.tagql.lowering.catalog import TupleCatalog
from millstream.languages.tagql.lowering.statements import lower

__all__ = ["TupleCatalog", "lower"]
