"""The nodes that a path reaches, as an SQL array to loop over."""

from __future__ import annotations

from millstream.algebra.expressions import PathTo
from millstream.compiler.columns import sql_type
from millstream.compiler.expressions import items_of
from millstream.compiler.scope import Scope
from millstream.compiler.sequences import gather
from millstream.model.schema import Element


def node_array(path: PathTo, scope: Scope, element: Element) -> str:
    """The nodes in document order; never null."""
    return gather(items_of(path, scope), lambda item: item.sql, sql_type(element))
