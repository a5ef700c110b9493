"""FLWOR, quantified and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from millstream.errors import UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.sequence_types import TypeReader
from millstream.languages.xquery.window_clause import WindowReader

LATER_CLAUSES = {
    "group": "group the items by a window, or by a nested loop over distinct-values()",
    "count": "number the items where they are read",
    "where": "join all conditions with 'and' in one where clause",
    "for": "put all for and let clauses before where and order by",
    "let": "put all for and let clauses before where and order by",
}

ClauseReader = Callable[[], syntax.For | syntax.Let]


class FlworReader(TypeReader, WindowReader):
    """Reads expressions that bind variables, and if."""

    def flwor(self) -> syntax.Flwor:
        """for and let clauses, where, order by, return."""
        start = self.token
        clauses: list[syntax.For | syntax.Let] = []
        while self.at("for", "let") and self.followed_by("$"):
            read = self._for if self.take().value == "for" else self._let
            clauses += self._listed(read)
        where = self.single() if self.take_if("where") else None
        stable = self.at("stable") and self.take_if("stable")
        order = self._order() if self.at("order") else ()
        self._return()
        result = self.single()
        span = self.span_from(start)
        return syntax.Flwor(tuple(clauses), result, where, order, stable, span=span)

    def quantified(self) -> syntax.Quantified:
        """some or every."""
        start = self.take()
        bindings = [self._quantifier()]
        while self.take_if(","):
            bindings.append(self._quantifier())
        self.expect("satisfies")
        condition = self.single()
        every = start.value == "every"
        return syntax.Quantified(every, tuple(bindings), condition, span=self.span_from(start))

    def conditional(self) -> syntax.If:
        """if, then and else."""
        start = self.take()
        opening = self.expect("(")
        condition = self.expression()
        self.expect(")", help=self.still_open("(", opening.span))
        self.expect("then")
        then = self.single()
        self.expect("else", help="an if always has an else; 'else ()' gives nothing")
        otherwise = self.single()
        return syntax.If(condition, then, otherwise, span=self.span_from(start))

    def _listed(self, read: ClauseReader) -> Iterator[syntax.For | syntax.Let]:
        yield read()
        while self.take_if(","):
            yield read()

    def _for(self) -> syntax.For:
        start = self.token
        variable = self.variable()
        declared = self.optional_type()
        position = self.variable() if self.take_if("at") else None
        self.expect("in", help="a for clause is written: for $p in …")
        source = self.source()
        window = self.optional_window()
        span = self.span_from(start)
        return syntax.For(variable, source, declared, position, window, span=span)

    def _let(self) -> syntax.Let:
        start = self.token
        variable = self.variable()
        declared = self.optional_type()
        self.expect(":=", help="a let clause is written: let $a := …")
        value = self.single()
        return syntax.Let(variable, value, declared, span=self.span_from(start))

    def _quantifier(self) -> syntax.Quantifier:
        start = self.token
        variable = self.variable()
        declared = self.optional_type()
        self.expect("in")
        source = self.single()
        return syntax.Quantifier(variable, source, declared, span=self.span_from(start))

    def _order(self) -> tuple[syntax.OrderKey, ...]:
        self.expect("order")
        self.expect("by")
        keys = [self._order_key()]
        while self.take_if(","):
            keys.append(self._order_key())
        return tuple(keys)

    def _order_key(self) -> syntax.OrderKey:
        start = self.token
        key = self.single()
        descending = self.at("ascending", "descending") and self.take().value == "descending"
        empty = None
        if self.take_if("empty"):
            if not self.at("greatest", "least"):
                raise self.unexpected("'greatest' or 'least'")
            empty = self.take().value
        return syntax.OrderKey(key, descending, empty, span=self.span_from(start))

    def _return(self) -> None:
        if self.at(*LATER_CLAUSES):
            raise UnsupportedError(
                f"a '{self.token.value}' clause at this place is not supported",
                span=self.token.span,
                help=LATER_CLAUSES[self.token.value],
            )
        self.expect("return", help="for and let clauses end with: return …")
