"""The syntax tree of a query: what was written, and where.

Nodes are equal when they say the same, wherever they stand: spans do not count. Parentheses
around one expression, the spelling of strings and the layout are not kept; `for $a in x, $b in y`
is the same as two `for` clauses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from millstream.errors import Span
from millstream.model.window import WindowKind

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands at a place in the text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class StringLiteral(Node):
    value: str


@dataclass(frozen=True, slots=True)
class NumberLiteral(Node):
    """A number as it was written: 120 is an integer, 120.0 a decimal, 1.2e2 a double."""

    text: str

    @property
    def value(self) -> int | Decimal | float:
        if "e" in self.text.lower():
            return float(self.text)
        return Decimal(self.text) if "." in self.text else int(self.text)


@dataclass(frozen=True, slots=True)
class VariableReference(Node):
    name: str


@dataclass(frozen=True, slots=True)
class ContextItem(Node):
    """The lone dot."""


@dataclass(frozen=True, slots=True)
class Root(Node):
    """The start of a path that begins with a slash."""


@dataclass(frozen=True, slots=True)
class FunctionCall(Node):
    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Postponed(Node):
    """What a function computes when it is called: translations have it, texts do not."""

    body: Expression


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """Expressions between commas; empty for ()."""

    items: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Step(Node):
    """One step of a path: an axis, a test of name or kind, and predicates.

    The test is a name, '*', or a kind such as 'text()'. `deep` says that '//' leads to the step.
    """

    test: str
    axis: str = "child"
    predicates: tuple[Expression, ...] = ()
    deep: bool = False


@dataclass(frozen=True, slots=True)
class ExpressionStep(Node):
    """A step that is itself an expression, asked once for each node: $p/en/string()."""

    expression: Expression
    predicates: tuple[Expression, ...] = ()
    deep: bool = False


PathStep = Step | ExpressionStep


@dataclass(frozen=True, slots=True)
class Path(Node):
    """Steps from an origin; without one, from the context item."""

    origin: Expression | None
    steps: tuple[PathStep, ...]


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """The items of an expression for which the predicates hold."""

    base: Expression
    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class TimeWord(Node):
    """A constant of time: now, start, or, among versions, last."""

    word: str


@dataclass(frozen=True, slots=True)
class TimeLiteral(Node):
    """A date or a time as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class DurationLiteral(Node):
    """A length of time as it was written: PT1H."""

    text: str


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """[begin, end], both included; without an end, one instant."""

    begin: Expression
    end: Expression | None = None


@dataclass(frozen=True, slots=True)
class IntervalProjection(Node):
    """base?[begin, end]: what held then; without an end, at one instant."""

    base: Expression
    begin: Expression
    end: Expression | None = None


@dataclass(frozen=True, slots=True)
class VersionProjection(Node):
    """base#[first, last]: some versions; without a last one, a single version."""

    base: Expression
    first: Expression
    last: Expression | None = None


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Two operands and an operator other than `or` and `and`; a union is always '|'."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logical(Node):
    """Two or more operands joined by `or` or by `and`."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """A sign before an operand."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class SequenceType(Node):
    """A type as written: an item type and how many ('', '?', '*' or '+')."""

    item: str
    occurrence: str = ""


@dataclass(frozen=True, slots=True)
class Window(Node):
    """|count size step step| or |reference diff size step step|; without a step, the size."""

    kind: WindowKind
    size: int
    step: int | None = None
    reference: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class For(Node):
    """for $variable as type at $position in source |window|"""

    variable: str
    source: Expression
    type: SequenceType | None = None
    position: str | None = None
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class Let(Node):
    """let $variable as type := value"""

    variable: str
    value: Expression
    type: SequenceType | None = None


@dataclass(frozen=True, slots=True)
class OrderKey(Node):
    """One key of an order by clause."""

    key: Expression
    descending: bool = False
    empty: str | None = None
    """'greatest' or 'least', where the text says so."""


@dataclass(frozen=True, slots=True)
class Flwor(Node):
    """for and let clauses, a condition, an order, and what to return."""

    clauses: tuple[For | Let, ...]
    result: Expression
    where: Expression | None = None
    order: tuple[OrderKey, ...] = ()
    stable: bool = False


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """One variable of a some or every expression."""

    variable: str
    source: Expression
    type: SequenceType | None = None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """some (or every) $variable in source satisfies condition"""

    every: bool
    bindings: tuple[Quantifier, ...]
    condition: Expression


@dataclass(frozen=True, slots=True)
class Text(Node):
    """Literal characters in a constructor, references resolved."""

    value: str


@dataclass(frozen=True, slots=True)
class Comment(Node):
    """An XML comment in a constructor."""

    value: str


@dataclass(frozen=True, slots=True)
class Enclosed(Node):
    """An expression between braces in a constructor."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class DirectAttribute(Node):
    name: str
    parts: tuple[Text | Enclosed, ...] = ()


@dataclass(frozen=True, slots=True)
class DirectElement(Node):
    """<name attributes>content</name>, without boundary white space."""

    name: str
    attributes: tuple[DirectAttribute, ...] = ()
    content: tuple[Content, ...] = ()


Content = Text | Comment | Enclosed | DirectElement


@dataclass(frozen=True, slots=True)
class ComputedElement(Node):
    """element name { content }; the name may be computed."""

    name: str | Expression
    content: Expression


@dataclass(frozen=True, slots=True)
class ComputedAttribute(Node):
    """attribute name { content }; the name may be computed."""

    name: str | Expression
    content: Expression


@dataclass(frozen=True, slots=True)
class ComputedText(Node):
    """text { content }"""

    content: Expression


Expression = (
    StringLiteral
    | NumberLiteral
    | VariableReference
    | ContextItem
    | Root
    | FunctionCall
    | Postponed
    | Sequence
    | Path
    | Filter
    | TimeWord
    | TimeLiteral
    | DurationLiteral
    | Interval
    | IntervalProjection
    | VersionProjection
    | Binary
    | Logical
    | Unary
    | If
    | Flwor
    | Quantified
    | DirectElement
    | ComputedElement
    | ComputedAttribute
    | ComputedText
)


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: str
    type: SequenceType | None = None


@dataclass(frozen=True, slots=True)
class FunctionDeclaration(Node):
    """declare function name(parameters) as type { body };"""

    name: str
    parameters: tuple[Parameter, ...]
    body: Expression
    type: SequenceType | None = None


@dataclass(frozen=True, slots=True)
class VariableDeclaration(Node):
    """declare variable $name as type := value;"""

    name: str
    value: Expression
    type: SequenceType | None = None


Declaration = FunctionDeclaration | VariableDeclaration


@dataclass(frozen=True, slots=True)
class Module(Node):
    """A whole query: what it declares, and the expression it asks for."""

    declarations: tuple[Declaration, ...]
    body: Expression
    version: str | None = None
    with_tags: bool = False
