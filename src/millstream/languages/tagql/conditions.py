"""Conditions on attributes and tags."""

from __future__ import annotations

from collections.abc import Callable

from millstream.errors import QueryError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.lexer import Kind, Token
from millstream.languages.tagql.tag_values import settled
from millstream.languages.tagql.values import ValueReader
from millstream.languages.tagql.words import COMPARISONS

_OPERATORS = {**{each: each for each in COMPARISONS}, "!=": "<>"}


class ConditionReader(ValueReader):
    """Reads conditions: OR, AND and NOT around predicates."""

    def condition(self) -> syntax.Condition:
        """A condition, not a value."""
        start = self.token
        return self._as_condition(self._expression(), start)

    def parenthesised(self) -> syntax.Expression:
        opening = self.expect("(")
        with self.nested():
            expression = self._expression()
        line = self.text.count("\n", 0, opening.span.start) + 1
        self.expect(")", help=f"the '(' in line {line} is still open")
        return expression

    def object_reference(self) -> syntax.ObjectReference:
        """A stream, an attribute of it, or that attribute's value."""
        start = self.token
        stream = self.name("a stream")
        steps: list[str] = []
        last = start
        while self.take_if("."):
            last = self.token
            steps.append(self.any_name("the name of an attribute"))
        # A bare 'value' after an attribute is not a name: "value" in quotes is.
        of_value = len(steps) > 1 and last.keyword == "VALUE"
        return syntax.ObjectReference(
            stream, tuple(steps[:-1] if of_value else steps), of_value, span=self.span_from(start)
        )

    def _as_condition(self, expression: syntax.Expression, start: Token) -> syntax.Condition:
        if isinstance(expression, syntax.Condition):
            return expression
        raise QueryError(
            "expected a condition, found a value",
            code="syntax",
            span=self.span_from(start),
            help="compare it with something",
        )

    def _expression(self) -> syntax.Expression:
        return self._logical("OR", self._conjunction, syntax.Or)

    def _conjunction(self) -> syntax.Expression:
        return self._logical("AND", self._negation, syntax.And)

    def _logical(
        self,
        word: str,
        operand: Callable[[], syntax.Expression],
        node: type[syntax.Or] | type[syntax.And],
    ) -> syntax.Expression:
        start = self.token
        first = operand()
        if not self.at(word):
            return first
        operands = [self._as_condition(first, start)]
        while self.take_if(word):
            after = self.token
            operands.append(self._as_condition(operand(), after))
        return node(tuple(operands), span=self.span_from(start))

    def _negation(self) -> syntax.Expression:
        if not self.at("NOT"):
            return self._predicate()
        start = self.take()
        with self.nested():
            after = self.token
            operand = self._as_condition(self._negation(), after)
        return syntax.Not(operand, span=self.span_from(start))

    def _predicate(self) -> syntax.Expression:
        if self.at("OBJECT"):
            return self._object_condition()
        start = self.token
        left = self.sum()
        if self.token.value in _OPERATORS and self.token.kind is Kind.SYMBOL:
            return self._comparison(self.as_value(left, start), start)
        negated = self.at("NOT") and self.ahead().keyword in ("LIKE", "IN", "BETWEEN", "WITHIN")
        if negated:
            self.take()
        if self.at("LIKE", "IN", "BETWEEN", "WITHIN", "IS"):
            return self._test(self.as_value(left, start), negated, start)
        if self.at("EQUIVALENT", "SIMILAR", "COOCCURS"):
            return self._likeness(self.as_value(left, start), start)
        return left

    def _comparison(self, left: syntax.Value, start: Token) -> syntax.Compare:
        operator = self._operator()
        right = self.value()
        left, right = settled(right, left), settled(left, right)
        return syntax.Compare(operator, left, right, span=self.span_from(start))

    def _operator(self) -> str:
        if self.token.value not in _OPERATORS or self.token.kind is not Kind.SYMBOL:
            raise self.unexpected("a comparison", help="one of = <> < <= > >=")
        return _OPERATORS[self.take().value]

    def _test(self, operand: syntax.Value, negated: bool, start: Token) -> syntax.Condition:
        match self.take().keyword:
            case "LIKE":
                pattern = self.string("a pattern")
                return syntax.Like(operand, pattern, negated, span=self.span_from(start))
            case "IN":
                choices = self._choices(operand)
                return syntax.In(operand, choices, negated, span=self.span_from(start))
            case "BETWEEN":
                low = self.value()
                self.expect("AND")
                high = self.value()
                return syntax.Between(operand, low, high, negated, span=self.span_from(start))
            case "WITHIN":
                region = self._region()
                return syntax.Within(operand, region, negated, span=self.span_from(start))
            case _:
                negated = self.take_if("NOT")
                self.expect("NULL")
                return syntax.IsNull(operand, negated, span=self.span_from(start))

    def _choices(self, operand: syntax.Value) -> tuple[syntax.Literal, ...]:
        self.expect("(")
        choices = [self.literal()]
        while self.take_if(","):
            choices.append(self.literal())
        self.expect(")")
        return tuple(settled(operand, choice) for choice in choices)

    def _region(self) -> syntax.Region:
        start = self.token
        kind = syntax.RegionKind[self.expect_one(syntax.RegionKind.__members__, "a region")]
        self.expect("(")
        numbers = [self.signed_number()]
        while self.take_if(","):
            numbers.append(self.signed_number())
        self.expect(")")
        region = syntax.Region(kind, tuple(numbers), span=self.span_from(start))
        _check_region(region)
        return region

    def _likeness(self, left: syntax.Value, start: Token) -> syntax.Condition:
        word = self.take().keyword
        if word == "EQUIVALENT":
            self.expect("TO")
            return syntax.Equivalent(left, self.value(), span=self.span_from(start))
        self.expect("TO" if word == "SIMILAR" else "WITH")
        right = self.value()
        if word == "SIMILAR":
            self.expect("JACCARD", help="say how similar, like JACCARD > 0.5")
        operator = self._operator()
        number = self.expect_kind(Kind.NUMBER, "a number").value
        node = syntax.Similar if word == "SIMILAR" else syntax.CoOccurs
        return node(left, right, operator, number, span=self.span_from(start))

    def _object_condition(self) -> syntax.ObjectIs:
        start = self.expect("OBJECT")
        if self.at("NOT", "IN"):
            negated = self.take_if("NOT")
            self.expect("IN")
            objects = self._object_list()
        else:
            negated = self.take_if("<>", "!=")
            if not negated:
                self.expect("=", help="an object is told by =, <> or IN")
            objects = (self.object_reference(),)
        return syntax.ObjectIs(objects, negated, span=self.span_from(start))

    def _object_list(self) -> tuple[syntax.ObjectReference, ...]:
        self.expect("(")
        objects = [self.object_reference()]
        while self.take_if(","):
            objects.append(self.object_reference())
        self.expect(")")
        return tuple(objects)


def _check_region(region: syntax.Region) -> None:
    names = region.kind.value
    if len(region.numbers) != len(names):
        raise QueryError(
            f"a {region.kind.name} takes {len(names)} numbers, not {len(region.numbers)}",
            code="arguments",
            span=region.span,
            help=f"write {region.kind.name}({', '.join(names)})",
        )
    if region.kind is not syntax.RegionKind.RECTANGLE and region.values[-1] < 0:
        raise QueryError(f"the {names[-1]} is negative", code="arguments", span=region.span)
