"""Names that are unique all over a query, so that what is bound twice stays apart."""

from __future__ import annotations

from itertools import count


class Names:
    """Gives each variable a name of its own."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def fresh(self, name: str) -> str:
        return f"{name}.{next(self._numbers)}"
