"""The elements that a selection looks at."""

from __future__ import annotations

from millstream.model.schema import Path, Schema
from millstream.sharing.element_paths import ITSELF, ElementUse
from millstream.sharing.predicates import Predicate
from millstream.sharing.properties import ITEM


def elements_of(selection: Predicate, schema: Schema) -> frozenset[Path]:
    """The paths that must be there for a selection on items to be made."""
    expression = selection.expression()
    if expression is None:
        return frozenset()
    use = ElementUse(schema)
    use.note(expression, {ITEM: ITSELF})
    return frozenset(use.paths)
