"""Random expressions over the sample schema."""

from __future__ import annotations

import random
from decimal import Decimal

from millstream.algebra.expressions import (
    CONTEXT,
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)
from millstream.model.schema import Content, Element
from tests.compiler.expressions.samples import PHOTON

LITERALS: tuple[Literal, ...] = tuple(
    Literal(value)
    for value in (0, 1, 3, -2, 24, Decimal("1.3"), Decimal("0.7"), 2.5e-7, 1e7, "x", "g", "24", "")
) + tuple(Literal(text) for text in ("2003-11-01", "2003-11-01T10:00:00Z", "1.30", "a < b & c"))
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
OF_ONE = (
    *("count", "sum", "avg", "min", "max", "string", "number", "data", "string-length", "name"),
    *("normalize-space", "upper-case", "lower-case", "distinct-values", "zero-or-one"),
    *("round", "floor", "ceiling", "abs", "exactly-one", "boolean"),
)
OF_TWO = ("contains", "starts-with", "ends-with", "concat", "substring", "string-join")
ARITHMETIC = ("+", "-", "*", "div", "idiv", "mod")


class Generator:
    """Makes expressions from a seed; variables are known with the element that they hold."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fresh = 0

    def expression(self, depth: int, scope: dict[str, Element]) -> Expression:
        """Any expression."""
        kinds = [self.path, self.path, self.literal]
        if depth > 0:
            kinds += [
                self.construct,
                self.sequence,
                self.each,
                self.choice,
                self.call,
                self.arithmetic,
                self.condition,
            ]
        return self.random.choice(kinds)(depth - 1, scope)

    def literal(self, depth: int, scope: dict[str, Element]) -> Expression:
        return self.random.choice(LITERALS)

    def path(self, depth: int, scope: dict[str, Element]) -> Expression:
        return self.typed_path(depth, scope)[0]

    def typed_path(self, depth: int, scope: dict[str, Element]) -> tuple[PathTo, Element | None]:
        """A path and the element it reaches, None if that is not one element."""
        variable = self.random.choice(sorted(scope))
        element: Element | None = scope[variable]
        steps: list[Step] = []
        while element is not None and self.random.random() < (0.85 if not steps else 0.6):
            name, element = self.step(element)
            if not name:
                break
            steps.append(Step(name, self.predicates(depth, element, scope)))
        return PathTo(variable, tuple(steps)), element

    def step(self, element: Element) -> tuple[str, Element | None]:
        if element.content is Content.RAW:
            return "", element
        names = [f"@{each.name}" for each in element.attributes] + ["text()"]
        names += ["*"] if element.children else []
        children = {child.name: child for child in element.children}
        name = self.random.choice([*children, *children, *names])
        return name, children.get(name)

    def predicates(
        self, depth: int, element: Element | None, scope: dict[str, Element]
    ) -> tuple[Expression, ...]:
        if depth <= 0 or self.random.random() < 0.6:
            return ()
        if element is None or self.random.random() < 0.4:
            return (Literal(self.random.choice((1, 2, 3))),)
        return (self.condition(depth - 1, {**scope, CONTEXT: element}),)

    def condition(self, depth: int, scope: dict[str, Element]) -> Expression:
        kind = self.random.choice(
            ("compare",) * 4 + (("and", "or", "not", "some") if depth else ())
        )
        match kind:
            case "and":
                return And((self.condition(depth - 1, scope), self.condition(depth - 1, scope)))
            case "or":
                return Or((self.condition(depth - 1, scope), self.path(0, scope)))
            case "not":
                name = self.random.choice(("not", "empty", "exists"))
                return Call(name, (self.path(depth - 1, scope),))
            case "some":
                return self.quantified(depth, scope)
            case _:
                return self.compare(depth, scope)

    def compare(self, depth: int, scope: dict[str, Element]) -> Expression:
        sides = [self.path(depth - 1, scope), self.operand(depth - 1, scope)]
        self.random.shuffle(sides)
        return Compare(self.random.choice(COMPARISONS), sides[0], sides[1])

    def operand(self, depth: int, scope: dict[str, Element]) -> Expression:
        kinds = [self.literal, self.literal, self.path]
        return self.random.choice(kinds + ([self.call, self.arithmetic] if depth > 0 else []))(
            depth - 1, scope
        )

    def quantified(self, depth: int, scope: dict[str, Element]) -> Expression:
        variable, source, inner = self.bound(depth, scope)
        every = self.random.random() < 0.5
        return Quantified(every, variable, source, self.condition(depth - 1, inner))

    def each(self, depth: int, scope: dict[str, Element]) -> Expression:
        variable, source, inner = self.bound(depth, scope)
        where = self.condition(depth - 1, inner) if self.random.random() < 0.5 else None
        return Each(variable, source, self.expression(depth, inner), where)

    def bound(
        self, depth: int, scope: dict[str, Element]
    ) -> tuple[str, Expression, dict[str, Element]]:
        self.fresh += 1
        variable = f"v{self.fresh}"
        for _ in range(20):
            path, element = self.typed_path(depth - 1, scope)
            if element is not None and path.steps:
                return variable, path, {**scope, variable: element}
        return variable, PathTo("p"), {**scope, variable: PHOTON}

    def sequence(self, depth: int, scope: dict[str, Element]) -> Expression:
        count = self.random.randint(0, 3)
        return Sequence(tuple(self.expression(depth, scope) for _ in range(count)))

    def choice(self, depth: int, scope: dict[str, Element]) -> Expression:
        return If(
            self.condition(depth, scope),
            self.expression(depth, scope),
            self.expression(depth, scope),
        )

    def arithmetic(self, depth: int, scope: dict[str, Element]) -> Expression:
        sides = [self.operand(depth - 1, scope), self.operand(depth - 1, scope)]
        return Arithmetic(self.random.choice(ARITHMETIC), sides[0], sides[1])

    def call(self, depth: int, scope: dict[str, Element]) -> Expression:
        if self.random.random() < 0.75:
            return Call(self.random.choice(OF_ONE), (self.path(depth, scope),))
        name = self.random.choice(OF_TWO)
        other = (
            Literal(self.random.choice((1, 2))) if name == "substring" else self.literal(0, scope)
        )
        return Call(name, (self.path(depth, scope), other))

    def construct(self, depth: int, scope: dict[str, Element]) -> Expression:
        attributes: tuple[NewAttribute, ...] = ()
        if self.random.random() < 0.4:
            attributes = (NewAttribute("k", (Text("<"), self.path(depth, scope))),)
        content: list[Expression] = []
        for _ in range(self.random.randint(0, 3)):
            plain = self.random.random() < 0.2
            content.append(Text(" & ") if plain else self.expression(depth, scope))
        return NewElement(self.random.choice("ab"), attributes, tuple(content))
