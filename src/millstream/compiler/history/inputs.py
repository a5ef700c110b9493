"""What a result that has no SQL needs of each row: its variables, whole."""

from __future__ import annotations

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.walk import variables, walk
from millstream.compiler.history.catalog import Catalog
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.sequences import Nodes
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.model.tag_structure import TagType


def inputs_of(
    result: core.Expression, environment: Environment, problem: Untranslatable
) -> dict[str, Nodes]:
    """The variables of a result, each one node; the problem itself if there are other needs."""
    if any(isinstance(each, core.Stream) for each in walk(result)) or not environment.frame.keys:
        raise problem
    found: dict[str, Nodes] = {}
    for name in sorted(variables(result)):
        value = environment.variables.get(name)
        if not isinstance(value, Nodes) or value.array is not None or value.present is not None:
            raise problem
        if any(_shares(value.spot.source.catalog, place) for place in value.spot.places):
            raise problem
        found[name] = value
    if not found:
        raise problem
    return found


def _shares(catalog: Catalog, place: core.Place) -> bool:
    """True if versions inside an element may have other elements in common.

    One node then shows more than once in the text, which does not tell that it is one.
    """
    below = (tag for tag in catalog.tag(place).walk() if tag.id != place.tag)
    return any(
        tag.type is TagType.TEMPORAL and catalog.has_holes(core.Place(place.stream, tag.id))
        for tag in below
    )
