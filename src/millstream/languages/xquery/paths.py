"""Paths: steps, axes, tests and predicates."""

from __future__ import annotations

from millstream.errors import QueryError, did_you_mean
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lexer import Kind, Token
from millstream.languages.xquery.projections import ProjectionReader

KIND_TESTS = (
    *("node", "text", "element", "attribute", "comment"),
    *("processing-instruction", "document-node"),
)
AXES = (
    *("child", "attribute", "self", "parent", "descendant", "descendant-or-self"),
    *("ancestor", "ancestor-or-self", "following", "following-sibling"),
    *("preceding", "preceding-sibling"),
)
LONGEST_CHAIN = 40
"""How many projections may follow one another."""
COMPUTED = ("element", "attribute", "text", "document", "comment", "processing-instruction")
"""The words that begin a computed constructor, where a brace follows."""


class PathReader(ProjectionReader):
    """Reads paths."""

    def path(self) -> syntax.Expression:
        start = self.token
        expression = self._plain_path()
        for _ in range(LONGEST_CHAIN):
            if not self.at_projection():
                return expression
            expression = self._continued(self.projected(expression, start.span), start)
        raise QueryError(
            f"these are too many projections: at most {LONGEST_CHAIN} in a row",
            code="too-deep",
            span=self.span_from(start),
            help="name a part of it with 'let' and use the variable",
        )

    def _continued(self, projected: syntax.Expression, start: Token) -> syntax.Expression:
        """What a projection leaves, with the predicates and steps that follow it."""
        predicates = self._predicates()
        if predicates:
            projected = syntax.Filter(projected, predicates, span=self.span_from(start))
        steps = self._further_steps()
        if not steps:
            return projected
        return syntax.Path(projected, steps, span=self.span_from(start))

    def _plain_path(self) -> syntax.Expression:
        start = self.token
        origin = self._origin()
        steps = [] if origin is not None else [self._step(deep=False)]
        if start.value in ("/", "//") and start.kind is Kind.SYMBOL and self._starts_step():
            steps.append(self._step(deep=start.value == "//"))
        steps += self._further_steps()
        if origin is not None and not steps:
            return origin
        return syntax.Path(origin, tuple(steps), span=self.span_from(start))

    def _further_steps(self) -> tuple[syntax.PathStep, ...]:
        steps = []
        while self.at("/", "//"):
            steps.append(self._step(deep=self.take().value == "//"))
        return tuple(steps)

    def _origin(self) -> syntax.Expression | None:
        """What the path starts from; None if it starts with a step from the context item."""
        if self.at("/", "//"):
            slash = self.take()
            if slash.value == "//" and not self._starts_step():
                raise self.unexpected("a step after '//'")
            return syntax.Root(span=slash.span)
        start = self.token
        time = self.time_value()
        if time is not None:
            return self._filtered(time, start)
        if self._at_axis_step():
            return None
        return self._filtered(self.primary(), start)

    def _filtered(self, base: syntax.Expression, start: Token) -> syntax.Expression:
        """An expression with the predicates that are written after it."""
        predicates = self._predicates()
        if not predicates:
            return base
        return syntax.Filter(base, predicates, span=self.span_from(start))

    def _step(self, *, deep: bool) -> syntax.PathStep:
        start = self.token
        if self.at("."):
            self.take()
            return self._with_predicates(syntax.Step("node()", "self", (), deep, span=start.span))
        if self._at_axis_step():
            return self._with_predicates(self._axis_step(deep))
        if not self._starts_step() and not self.at("<"):
            raise self.unexpected("a step", help="a step is a name, *, @name, text() or '.'")
        expression = self.primary()
        predicates = self._predicates()
        span = self.span_from(start)
        return syntax.ExpressionStep(expression, predicates, deep, span=span)

    def _axis_step(self, deep: bool) -> syntax.Step:
        start = self.token
        axis, test = "child", ""
        if self.take_if(".."):
            axis, test = "parent", "node()"
        elif self.take_if("@"):
            axis = "attribute"
        elif self.followed_by("::"):
            axis = self._axis()
        test = test or self._test()
        if axis == "child" and test.startswith("attribute("):
            axis = "attribute"
        return syntax.Step(test, axis, (), deep, span=self.span_from(start))

    def _with_predicates(self, step: syntax.Step) -> syntax.Step:
        predicates = self._predicates()
        span = self.span_from(step.span)
        return syntax.Step(step.test, step.axis, predicates, step.deep, span=span)

    def _axis(self) -> str:
        name = self.take()
        if name.value not in AXES:
            raise QueryError(
                f"no axis is named '{name.value}'",
                span=name.span,
                help=did_you_mean(name.value, AXES),
            )
        self.expect("::")
        return name.value

    def _test(self) -> str:
        if self.take_if("*"):
            if self.at(":"):
                raise self.unsupported("a name test with any prefix")
            return "*"
        name = self.expect_kind(Kind.NAME, "a name", help="a step is a name, *, @name or text()")
        if self.at(":") and self.followed_by("*"):
            raise self.unsupported("a name test with any local name")
        if name.value not in KIND_TESTS or not self.take_if("("):
            return name.value
        inside = self.take().value if self.token.kind is Kind.NAME or self.at("*") else ""
        self.expect(")")
        return f"{name.value}({inside})"

    def _predicates(self) -> tuple[syntax.Expression, ...]:
        predicates = []
        while self.at("["):
            opening = self.take()
            with self.times(read=False):
                predicates.append(self.expression())
            self.expect("]", help=self.still_open("[", opening.span))
        return tuple(predicates)

    def _at_axis_step(self) -> bool:
        """True at what can only be a step: a name, *, @ or two dots."""
        if self.at("*", "@", ".."):
            return True
        if self.token.kind is not Kind.NAME:
            return False
        if self.followed_by("("):
            return self.token.value in KIND_TESTS
        return not self.at_computed()

    def at_computed(self) -> bool:
        """True at the word that begins a computed constructor."""
        if not self.at(*COMPUTED):
            return False
        following = self.ahead()
        named = following.kind is Kind.NAME and self.ahead(2).value == "{"
        return named or (following.kind is Kind.SYMBOL and following.value == "{")

    def _starts_step(self) -> bool:
        """True at what goes on after a lone slash; a '<' there compares."""
        if self.token.kind in (Kind.NUMBER, Kind.STRING, Kind.NAME):
            return True
        return self.at("*", "@", "..", ".", "$", "(")
