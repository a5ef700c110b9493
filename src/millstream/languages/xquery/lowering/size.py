"""A limit on what variables and functions may unfold to."""

from __future__ import annotations

from millstream.algebra.children import children
from millstream.algebra.expressions import Expression
from millstream.errors import Span, UnsupportedError

LARGEST = 20_000
"""How many nodes an expression may have once its variables are written out."""
DEEPEST = 150
"""How deep it may nest."""


def refuse_large(expression: Expression, span: Span) -> None:
    """An error if an expression is too large or too deep to work with."""
    # A stack of its own, since Python's may be too small for what is measured here.
    waiting = [(expression, 1)]
    size = 0
    while waiting:
        node, depth = waiting.pop()
        size += 1
        if size > LARGEST or depth > DEEPEST:
            raise UnsupportedError(
                "this grows too large once its variables and functions are written out",
                code="too large",
                span=span,
                help=f"at most {LARGEST} operations, nested at most {DEEPEST} deep",
            )
        waiting += ((child, depth + 1) for child in children(node))
