"""The functions that translated queries call, written in plain XQuery."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from millstream.languages.xquery.translation.naming import NAMESPACE, PREFIX

HEAD = f"""\
xquery version "3.1";
declare namespace {PREFIX} = "{NAMESPACE}";
declare namespace map = "http://www.w3.org/2005/xpath-functions/map";
declare namespace math = "http://www.w3.org/2005/xpath-functions/math";
declare copy-namespaces no-preserve, no-inherit;"""
ERRORS = 'declare namespace err = "http://www.w3.org/2005/xqt-errors";'
"""For those who catch errors."""

_DECLARED = re.compile(rf"declare (?:function |variable \$){PREFIX}:([\w-]+)")
_USED = re.compile(rf"\b{PREFIX}:([A-Za-z_][\w-]*)")


def needed(texts: Iterable[str]) -> tuple[str, ...]:
    """The declarations that some texts use, and those that these use, in the library's order."""
    declarations = _library()
    names: set[str] = set()
    waiting = list(texts)
    while waiting:
        found = set(_USED.findall(waiting.pop())) & declarations.keys() - names
        names |= found
        waiting += (declarations[name] for name in found)
    return tuple(text for name, text in declarations.items() if name in names)


@cache
def _library() -> dict[str, str]:
    text = files(__package__).joinpath("library.xq").read_text(encoding="utf-8")
    declarations = {}
    for block in text.strip().split("\n\n"):
        declared = _DECLARED.search(block)
        assert declared is not None, block
        declarations[declared[1]] = block
    return declarations
