"""Columns of a filler's row t as SQL: of its own element, or of those at a path inside."""

from __future__ import annotations

from millstream.compiler.names import identifier, let, string
from millstream.model.filler_layout import HOLE_MARK, attributes_of, from_of, text_of, to_of
from millstream.model.schema import Path

_MARK = string(HOLE_MARK)
EMPTY = string("\x03")
"""Stands where a hole is empty, until it is known whether its element holds something else."""
_EMPTIED = string(r"<([^\s/>!?]+)((?:\s[^>]*?[^/>])?)>" + "\x03" + r"+</\1>")


def own(kind: str, path: Path, name: str, fills: str | None) -> str:
    """A column of the node of a row: the filler's element, or the one at place i of a path."""
    match kind, bool(path):
        case "attribute", False:
            return f"t.{identifier(attributes_of(()))}[{string(name)}]"
        case "attribute", True:
            return f"get(t.{identifier(attributes_of(path))}, t.i)[{string(name)}]"
        case "text", False:
            return f"t.{identifier(text_of(()))}"
        case "text", True:
            return f"get(t.{identifier(text_of(path))}, t.i)"
        case "from", False:
            return "0"
        case "from", True:
            return "t.f"
        case "to", False:
            return "length(t.body)"
        case "to", True:
            return "t.e"
        case "xml", False:
            return "t.body" if fills is None else _filled("t.body", f"coalesce({fills}, array())")
        case "xml", True:
            return _piece("t.f", "t.e", fills)
    raise AssertionError(f"no column {kind} of a node")


def listed(kind: str, path: Path, name: str, fills: str | None) -> str:
    """A column of all elements at a path of a filler."""
    begin, end = (f"t.{identifier(of(path))}" for of in (from_of, to_of))
    match kind:
        case "attribute":
            return f"transform(t.{identifier(attributes_of(path))}, m -> m[{string(name)}])"
        case "text":
            return f"t.{identifier(text_of(path))}"
        case "from":
            return begin
        case "to":
            return end
        case "xml":
            return f"transform({begin}, (b, k) -> {_piece('b', f'get({end}, k)', fills)})"
    raise AssertionError(f"no column {kind} of nodes")


def _piece(begin: str, end: str, fills: str | None) -> str:
    """A piece of the body, with its holes filled."""
    text = f"substring(t.body, {begin} + 1, {end} - {begin})"
    if fills is None:
        return text
    before = f"substring(t.body, 1, {begin})"
    skipped = f"length({before}) - length(replace({before}, {_MARK}, ''))"
    inside = f"length({text}) - length(replace({text}, {_MARK}, ''))"
    return _filled(text, f"slice(coalesce({fills}, array()), {skipped} + 1, {inside})")


def _filled(text: str, fills: str) -> str:
    """A text with others in place of the marks for holes."""
    pieces = f"split({text}, {_MARK}, -1)"
    joined = f"zip_with(concat(array(''), {fills}), {pieces}, (a, b) -> concat(a, b))"
    return let("filled", f"array_join({joined}, '')", _without_empty)


def _without_empty(text: str) -> str:
    """A text in which elements that hold nothing but empty holes are written as empty ones."""
    emptied = f"regexp_replace({text}, {_EMPTIED}, {string('<$1$2/>')})"
    emptied = f"if(contains({text}, concat('>', {EMPTY})), {emptied}, {text})"
    return f"if(contains({text}, {EMPTY}), replace({emptied}, {EMPTY}, ''), {text})"
