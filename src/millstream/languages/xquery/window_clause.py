"""The window after the source of a for clause: |count 20 step 10| or |det_time diff 60|."""

from __future__ import annotations

from millstream.errors import QueryError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lexer import Kind, Token
from millstream.languages.xquery.reader import ExpressionReader
from millstream.model.window import WindowKind

EXAMPLE = "a window is written |count 20 step 10| or |det_time diff 60 step 40|"


class WindowReader(ExpressionReader):
    """Reads window clauses."""

    def at_window(self) -> bool:
        """True if the current '|' opens a window: after a union's '|' other things follow."""
        following = self.ahead()
        if following.kind is Kind.NAME:
            return self.ahead(2).value != "(" or following.value == "count"
        return not (following.kind is Kind.SYMBOL and following.value in ("$", "(", "/", "//"))

    def optional_window(self) -> syntax.Window | None:
        """The window at the current token, if there is one."""
        if not self.at("|"):
            return None
        opening = self.take()
        kind, reference = self._kind()
        size = self._length(f"the size of a {kind.value} window")
        step = self._length("the step of a window") if self.take_if("step") else None
        self.expect("|", help=EXAMPLE)
        span = self.span_from(opening)
        return syntax.Window(kind, size, step, reference, span=span)

    def _kind(self) -> tuple[WindowKind, tuple[str, ...]]:
        if self.at("count") and not self.followed_by("/", "diff"):
            self.take()
            return WindowKind.COUNT, ()
        reference = [self._reference_step()]
        while self.take_if("/"):
            reference.append(self._reference_step())
        self.expect("diff", help=EXAMPLE)
        return WindowKind.DIFF, tuple(reference)

    def _reference_step(self) -> str:
        if self.take_if("."):
            return "."
        at = "@" if self.take_if("@") else ""
        return at + self.expect_kind(Kind.NAME, "'count' or a path", help=EXAMPLE).value

    def _length(self, what: str) -> int:
        sign = self.take() if self.at("-", "+") else None
        number = self.expect_kind(Kind.NUMBER, "a whole number", help=EXAMPLE)
        negative = sign is not None and sign.value == "-"
        if not number.value.isdigit() or negative or int(number.value) == 0:
            raise QueryError(
                f"{what} must be a whole number above 0",
                span=self.span_from(sign or number),
                help=EXAMPLE,
            )
        return _whole(number)


def _whole(number: Token) -> int:
    value = int(number.value)
    if value >= 2**63:
        raise QueryError("a window's length has at most 63 bits", span=number.span)
    return value
