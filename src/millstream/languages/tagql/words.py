"""The words of the language."""

from __future__ import annotations

from enum import Enum


class TagField(Enum):
    """What a condition can ask of a tag."""

    CONTENT = "TAG"
    SIGN = "TAG_SIGN"
    TYPE = "TAG_TYPE"
    TAGGER = "TAGGER"
    LIFESPAN = "TAG_LIFESPAN"
    MODE = "TAG_MODE"
    TIME = "TAG_TIME"


FIELD_SPELLINGS = {
    **{field.value: field for field in TagField},
    **{field.value.replace("_", ""): field for field in TagField},
}
"""The field that each spelling stands for: TAG_SIGN and TAGSIGN alike."""

RESERVED = frozenset(
    (
        *("ATTACH", "CONTINUOUSLY", "TO", "SELECT", "TAGS", "TAGGED", "FROM", "WHERE", "WITH"),
        *("AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS", "NULL", "GROUP", "BY", "AS"),
        *("USING", "INCLUDING", "WITHIN", "EQUIVALENT", "SIMILAR", "COOCCURS", "OBJECT"),
        *FIELD_SPELLINGS,
    )
)
"""Words that are names only between double quotes, or after a dot."""

AGGREGATES = frozenset({"COUNT", "SUM", "AVG", "MIN", "MAX"})

FUNCTIONS = {
    **dict.fromkeys(AGGREGATES, 1),
    "DIST": 2,
    "POINT": 2,
    "ABS": 1,
    "LOWER": 1,
    "UPPER": 1,
}
"""The functions, and how many arguments each takes."""

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
