"""Expressions over the variables that an operator binds.

Every expression gives a sequence, as in XQuery. Comparisons are general (existential), absent
elements are empty sequences, and leaf text is trimmed before it is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from millstream.model.schema import ValueType

CONTEXT = "."
"""The variable that a step predicate uses for the node it is asked about."""


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A number, string or truth value: int and Decimal are exact, float is a double."""

    value: int | Decimal | float | str | bool

    # Python holds 1, 1.0 and True to be equal; they are different expressions.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, object]:
        return type(self.value).__name__, self.value


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a child, '@name', 'text()', or '*', with predicates on what it finds.

    A predicate that is an integer literal is a position, counted from 1 among the nodes that the
    step finds below one parent; any other predicate sees the node as variable CONTEXT.
    """

    name: str
    predicates: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class PathTo:
    """The nodes reached from a variable; without steps, the variable's own value."""

    variable: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Compare:
    """left op right with op one of = != < <= > >=, true if some pair of values is so related."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """left op right with op one of + - * div idiv mod; empty if either side is empty.

    Integer with integer gives an integer (but for div); anything else is computed in doubles.
    """

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the library, by its plain name: count, sum, string, not, …"""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """for $variable in source where condition return result, inside one item or window."""

    variable: str
    source: Expression
    result: Expression
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class Quantified:
    """some/every $variable in source satisfies condition."""

    every: bool
    variable: str
    source: Expression
    condition: Expression


@dataclass(frozen=True, slots=True)
class Text:
    """Literal text inside a constructor."""

    value: str


@dataclass(frozen=True, slots=True)
class NewAttribute:
    """An attribute of a constructed element; each part is Text or an enclosed expression."""

    name: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class NewElement:
    """A constructed element; each content part is Text, NewElement or one enclosed expression.

    Adjacent atomic values of one enclosed expression are separated by a space, those of
    neighbouring enclosed expressions are not.
    """

    name: str
    attributes: tuple[NewAttribute, ...] = ()
    content: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class TupleColumn:
    """A column of a result tuple, and what it is made of."""

    name: str
    value: Expression
    type: ValueType
    sources: tuple[tuple[str, str], ...] = ()
    """Variables and attributes: a tag on one of them is on the column."""


@dataclass(frozen=True, slots=True)
class NewTuple:
    """A result tuple; its id and time are those of the tuples it is made of."""

    columns: tuple[TupleColumn, ...]
    with_tags: bool = False
    whole: bool = False
    """True where every tag is on the whole tuple, whatever it was on before."""


@dataclass(frozen=True, slots=True)
class NewPair:
    """Two result tuples, with the tags by which they were joined."""

    left: NewTuple
    right: NewTuple


@dataclass(frozen=True, slots=True)
class NewTag:
    """A tag as a result."""

    tag: PathTo


Expression = (
    Literal
    | PathTo
    | Compare
    | And
    | Or
    | Arithmetic
    | If
    | Sequence
    | Call
    | Each
    | Quantified
    | Text
    | NewElement
    | NewTuple
    | NewPair
    | NewTag
)

TRUE = Literal(True)
EMPTY = Sequence(())
