"""Which functions a statement calls that Spark runs in Python."""

from __future__ import annotations

import re

from millstream.compiler.tags.functions import USER_FUNCTION
from millstream.compiler.tags.tag_groups import GROUPS_FUNCTION

_USERS = re.compile(rf"\b{USER_FUNCTION}(\w+)\(")


def calls_groups(sql: str) -> bool:
    """True when tuples are brought to their groups one after the other."""
    return GROUPS_FUNCTION in sql


def called_functions(sql: str) -> tuple[str, ...]:
    """The names of users' functions, in lower case."""
    return tuple(sorted(set(_USERS.findall(sql))))
