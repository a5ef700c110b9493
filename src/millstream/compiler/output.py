"""The one shape of everything that a step writes: results, state and late items.

kind      'results', 'state' or 'late': where the row goes
role      in state, what the row is: 'slice', 'item', 'counter' or 'emitted'
channel   the channel that the row belongs to
tick      window start of a result, slice or tick of a state row
ordering  where the row stands among the rows of its step and channel
values    slots of a result's template, or the partial aggregates of a slice, as text
content   a buffered element, as JSON
"""

from __future__ import annotations

COLUMNS = (
    ("kind", "STRING"),
    ("role", "STRING"),
    ("channel", "INT"),
    ("tick", "BIGINT"),
    ("ordering", "ARRAY<BIGINT>"),
    ("values", "ARRAY<STRING>"),
    ("content", "STRING"),
)
DDL = ", ".join(f"{name} {type}" for name, type in COLUMNS)

RESULTS = "results"
STATE = "state"
LATE = "late"

NO_NUMBERS = "CAST(array() AS ARRAY<BIGINT>)"

SLICE = "slice"
ITEM = "item"
COUNTER = "counter"
EMITTED = "emitted"


def row(
    *,
    kind: str,
    channel: str,
    role: str = "NULL",
    tick: str = "NULL",
    ordering: str = "NULL",
    values: str = "NULL",
    content: str = "NULL",
) -> str:
    """The select list of an output row; arguments are SQL."""
    given = {
        "kind": kind,
        "role": role,
        "channel": channel,
        "tick": tick,
        "ordering": ordering,
        "values": values,
        "content": content,
    }
    return ", ".join(f"CAST({given[name]} AS {type}) AS {name}" for name, type in COLUMNS)


def may_keep(sql: str) -> bool:
    """Whether a statement may give more than results: state, or late items."""
    return any(f"'{kind}'" in sql for kind in (STATE, LATE))


def array(items: tuple[str, ...]) -> str:
    """An SQL array of the given expressions."""
    return f"array({', '.join(items)})"


def floor_div(dividend: str, divisor: str) -> str:
    """The largest integer not above the quotient of two SQL integers, exactly."""
    return f"((({dividend}) - pmod({dividend}, {divisor})) div ({divisor}))"
