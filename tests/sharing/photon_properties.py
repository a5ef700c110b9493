"""Properties of queries for the tests of sharing."""

from __future__ import annotations

from millstream.languages.xquery import compile_text
from millstream.model.window import EndRule
from millstream.sharing.properties import Input, Properties
from millstream.sharing.reading_properties import properties_of
from tests.languages.streams import Streams

PHOTON = 'stream("photons")/photons/photon'


def properties(text: str, end: EndRule | None = None) -> Properties:
    """The properties of a query over the streams of the tests."""
    return properties_of(compile_text(text, Streams()), end=end)


def asked(text: str, end: EndRule | None = None) -> Input:
    """What a query asks of its only input."""
    (found,) = properties(text, end).inputs
    return found


def items(condition: str = "", returned: str = "$p/en") -> Input:
    """What is asked by a query for photons."""
    where = f"where {condition}" if condition else ""
    return asked(f"for $p in {PHOTON} {where} return <r>{{ {returned} }}</r>")


def windows(
    window: str,
    returned: str = "avg($w/en)",
    selection: str = "",
    where: str = "",
    end: EndRule | None = None,
) -> Input:
    """What is asked by a query for windows of photons."""
    chosen = f"[{selection}]" if selection else ""
    kept = f"where {where}" if where else ""
    return asked(
        f"for $w in {PHOTON}{chosen} |{window}| {kept} return <r>{{ {returned} }}</r>", end
    )


def paths(found: frozenset[tuple[str, ...]]) -> set[str]:
    """Paths as a user writes them."""
    return {"/".join(path) for path in found}
