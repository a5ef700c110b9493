"""Relations that are named once and written before the statement that reads them.

Spark's parser takes very long over selects that stand deep inside one another. So a relation that
others are made of is given a name, which its text decides: WITH name AS (…) SELECT … FROM name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator

_NAME = re.compile(r"\brelation_[0-9a-f]{12}\b")
_known: dict[str, str] = {}


def named(sql: str) -> str:
    """The name of a relation, to be read like a table."""
    name = f"relation_{hashlib.sha256(sql.encode()).hexdigest()[:12]}"
    _known[name] = sql
    return name


def relations_of(sql: str) -> dict[str, str]:
    """The relations that a statement reads, by name, each after those that it is made of."""
    found: dict[str, str] = {}

    def visit(text: str) -> None:
        for name in dict.fromkeys(_NAME.findall(text)):
            if name not in found:
                visit(_known[name])
                found[name] = _known[name]

    visit(sql)
    return found


def renamed(sql: str, ending: str) -> str:
    """The same with endings after the names of relations."""
    return _NAME.sub(lambda name: f"{name[0]}_{ending}", sql)


def with_relations(
    statements: Iterator[tuple[str, str]], complete: Callable[[str, str], str]
) -> str:
    """Statements, given with their signatures, as one, after the relations that they read.

    `complete` puts the views of a signature in their places.
    """
    before: dict[str, str] = {}
    parts = []
    for signature, sql in statements:
        for name, text in relations_of(sql).items():
            whole = renamed(complete(text, signature), signature)
            before[f"{name}_{signature}"] = whole
        parts.append(renamed(complete(sql, signature), signature))
    together = "\nUNION ALL\n".join(parts)
    if not before:
        return together
    listed = ",\n".join(f"{name} AS ({text})" for name, text in before.items())
    return f"WITH {listed}\n{together}"
