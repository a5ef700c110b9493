"""Loops over streams inside others: gathered by what they are asked for, and joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.walk import bound, variables
from millstream.compiler.history.comparing import Converter, converters
from millstream.compiler.history.conditions import Conditions
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.frames import Frame, SortKey
from millstream.compiler.history.sequences import Atoms, Made, Nodes, Sequence, Type
from millstream.compiler.history.spots import moved
from millstream.compiler.history.untranslatable import Untranslatable

if TYPE_CHECKING:
    from millstream.compiler.history.loops import LoopCompiler


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Two sides of an equality between a loop and what is around it."""

    inner: Atoms
    outer: Atoms


class Join:
    """A loop in rows of its own, on its way to those of the loop around it."""

    def __init__(self, compiler: LoopCompiler, loop: core.Loop, around: Environment) -> None:
        self.compiler = compiler
        self.loop = loop
        self.around = around
        self.frame = Frame(compiler.statement)
        own = set(bound(loop))
        self.conditions = Conditions(self.frame, frozenset(variables(loop)) - own)
        self.keys: list[KeyPair] = []

    def attached(self) -> Sequence:
        compiler = self.compiler
        environment = replace(self.around, frame=self.frame)
        environment = compiler.clauses(self.loop.clauses, environment, self.conditions)
        for conjunct in conjuncts(self.loop.where):
            pair = self._key(conjunct, environment)
            if pair is not None:
                self.keys.append(pair)
                continue
            test = self._range(conjunct, environment)
            if test is not None:
                self.conditions.residual.append(test)
            else:
                self.conditions.add(compiler.truth(conjunct, environment), conjunct)
        if not self.frame.relation:
            raise Untranslatable("a loop that has no rows", self.loop.span)
        alone = not self.conditions.has_residual and not self.conditions.depends(self.loop.result)
        alone = alone and not any(map(self.conditions.depends, self.loop.order))
        if alone and all(pair.outer.one for pair in self.keys):
            return self._by_key(environment)
        return self._by_rows(environment)

    def _key(self, conjunct: core.Expression, environment: Environment) -> KeyPair | None:
        """The sides of an equality of texts between this loop and what is around it."""
        match conjunct:
            case core.Compare("=" | "eq", left, right):
                pass
            case _:
                return None
        sides = [self.conditions.depends(each) for each in (left, right)]
        if sides[0] == sides[1]:
            return None
        inner, outer = (right, left) if sides[0] else (left, right)
        own = set(bound(self.loop))
        if variables(outer) & own or not variables(inner) & own:
            return None
        compiler = self.compiler
        one = compiler.atoms(inner, environment)
        other = compiler.atoms(outer, self.around)
        if not (one.type.textual and other.type.textual):
            return None
        write_one, write_other = converters(one, other)
        return KeyPair(_written(one, write_one), _written(other, write_other))

    def _range(self, conjunct: core.Expression, environment: Environment) -> str | None:
        """An inequality of numbers between this loop and what is around it, of columns of both.

        Some value is greater than some other if the greatest is greater than the least.
        """
        match conjunct:
            case core.Compare("<" | "<=" | ">" | ">=" as operator, left, right):
                pass
            case _:
                return None
        own = set(bound(self.loop))
        outer = [not variables(each) & own for each in (left, right)]
        if outer[0] == outer[1] or any(
            self.conditions.depends(each) != is_outer
            for each, is_outer in zip((left, right), outer, strict=True)
        ):
            return None
        compiler = self.compiler
        found = [
            compiler.atoms(each, self.around if is_outer else environment)
            for each, is_outer in zip((left, right), outer, strict=True)
        ]
        if not all(each.type in (Type.UNTYPED, Type.DOUBLE) for each in found):
            return None
        extremes = ("min", "max") if operator.startswith("<") else ("max", "min")
        columns = []
        for each, is_outer, extreme in zip(found, outer, extremes, strict=True):
            values = compiler.reader.double(each)
            frame = self.around.frame if is_outer else self.frame
            sql = values.sql
            if not values.one:
                sql = f"array_{extreme}(filter({sql}, x -> NOT isnan(x)))"
            columns.append(frame.column(f"nullif({sql}, double('NaN'))"))
        return f"{columns[0]} {operator} {columns[1]}"

    def _by_key(self, environment: Environment) -> Sequence:
        """Gathered by the values that the loop around asks for."""
        names = []
        for pair in self.keys:
            values = pair.inner.sql
            if pair.inner.one:
                names.append(self.frame.column(values))
            else:
                names.append(self.frame.explode(f"array_distinct({values})")[1])
        gathered = Gathered(self.compiler, self.loop, environment, self.frame)
        part, result = gathered.part(names)
        if not names:
            self.around.frame.attach(part, None)
            return result
        pairs = zip(names, self.keys, strict=True)
        condition = " AND ".join(f"{part}.{name} = {pair.outer.sql}" for name, pair in pairs)
        self.around.frame.attach(part, condition)
        return result

    def _by_rows(self, environment: Environment) -> Sequence:
        """Joined with each row of the loop around, and gathered by these."""
        outer = self.around.frame
        if not outer.keys:
            raise Untranslatable("a loop that depends on what is in no rows", self.loop.span)
        tests = [f"({each})" for each in self.conditions.residual]
        tests += [self._same(pair) for pair in self.keys]
        joined = Frame(self.compiler.statement)
        joined.order = list(self.frame.order)
        joined.keys = [*outer.keys, *self.frame.keys]
        left, right = outer.rows, self.frame.rows
        # Without an equality every pair must be looked at: then the loop's rows go to all.
        is_looked_up = any(_is_plain(each) for each in self.keys)
        hint = "" if is_looked_up else f"/*+ BROADCAST({right}) */ "
        joined.relation = self.compiler.statement.add(
            "frame", lambda: f"SELECT {hint}* FROM {left} JOIN {right} ON {' AND '.join(tests)}"
        )
        inside = replace(environment, frame=joined)
        gathered = Gathered(self.compiler, self.loop, inside, joined)
        copies = [joined.column(key) for key in outer.keys]
        part, result = gathered.part(copies)
        condition = " AND ".join(
            f"{part}.{copy} <=> {key}" for copy, key in zip(copies, outer.keys, strict=True)
        )
        outer.attach(part, condition)
        return result

    def _same(self, pair: KeyPair) -> str:
        one, other = pair.inner, pair.outer
        if one.one and other.one:
            return f"{one.sql} = {other.sql}"
        arrays = ", ".join(self.compiler.reader.array(each) for each in (one, other))
        return f"arrays_overlap({arrays})"


Gathering = tuple[Callable[[], list[str]], Sequence]
"""The fields that are gathered of each row, and what they are known as afterwards."""


class Gathered:
    """The results of a loop's rows as one array in order, and their number."""

    def __init__(
        self, compiler: LoopCompiler, loop: core.Loop, environment: Environment, frame: Frame
    ) -> None:
        self.compiler = compiler
        self.frame = frame
        self.result = compiler.compiled(loop.result, environment)
        if isinstance(self.result, Nodes) and self.result.present is not None:
            frame.filter(self.result.present)
            self.result = replace(self.result, present=None)
        self.order = [*order_keys(compiler, loop, environment), *frame.order]
        if any(key.descending or key.nulls_last for key in self.order):
            raise Untranslatable("an inner loop in another than ascending order", loop.span)

    def part(self, keys: list[str]) -> tuple[str, Sequence]:
        """The part with the keys and results, and the results as they are known by its columns."""
        statement = self.compiler.statement
        count, items = statement.fresh("c"), statement.fresh("c")
        order = [f"{key.sql} AS o{number}" for number, key in enumerate(self.order)]
        fields, sequence = self._result(items, f"coalesce({count}, 0L)")
        rows, columns = self.frame.rows, ", ".join(keys)

        def write() -> str:
            listed = ", ".join([*order, *fields()])
            selected = f"sort_array(collect_list(struct({listed}))) AS {items}"
            head = f"{columns}, " if columns else ""
            group = f" GROUP BY {columns}" if columns else ""
            return f"SELECT {head}count(*) AS {count}, {selected} FROM {rows}{group}"

        return statement.add("loop", write), sequence

    def _result(self, items: str, count: str) -> Gathering:
        array = f"coalesce({items}, array())"
        match self.result:
            case Atoms(sql, one=True):
                found: Sequence = replace(
                    self.result,
                    sql=f"filter(transform({array}, x -> x.v), x -> x IS NOT NULL)",
                    one=False,
                    count=count if _never_null(sql) else None,
                )
                return lambda: [f"{sql} AS v"], found
            case Atoms(sql, one=False):
                flat = f"flatten(transform({array}, x -> x.v))"
                return lambda: [f"{sql} AS v"], replace(self.result, sql=flat, count=None)
            case Made(sql, True):
                found = Made(f"transform({array}, x -> x.v)", False, count)
                return lambda: [f"{sql} AS v"], found
            case Made(sql, False):
                flat = f"flatten(transform({array}, x -> x.v))"
                return lambda: [f"{sql} AS v"], Made(flat, False)
            case Nodes(array=None, present=None):
                return self._nodes(self.result, array, count)
        raise Untranslatable("an inner loop whose results are of several kinds")

    def _nodes(self, result: Nodes, array: str, count: str) -> Gathering:
        spot = result.spot
        if spot.path and spot.index != "0":
            raise Untranslatable("an inner loop whose results stand inside others")
        if spot.prefix:
            return (
                lambda: [f"{spot.prefix.removesuffix('.')} AS v"],
                Nodes(lambda each: moved(spot, f"{each}.v."), array, contained=True, count=count),
            )
        return (
            lambda: list(spot.source.columns()),
            Nodes(lambda each: moved(spot, f"{each}."), array, contained=True, count=count),
        )


def order_keys(compiler: LoopCompiler, loop: core.Loop, environment: Environment) -> list[SortKey]:
    """What the order by clause of a loop says."""
    keys = []
    for key in loop.order:
        found = compiler.one(key.key, environment)
        keys.append(SortKey(found.sql, key.descending, key.empty_greatest != key.descending))
    return keys


def conjuncts(condition: core.Expression | None) -> tuple[core.Expression, ...]:
    """The parts of a condition that must all hold."""
    match condition:
        case None:
            return ()
        case core.Logical("and", operands):
            return tuple(part for operand in operands for part in conjuncts(operand))
    return (condition,)


def _written(atoms: Atoms, write: Converter) -> Atoms:
    if atoms.one:
        return replace(atoms, sql=write(atoms.sql))
    return replace(atoms, sql=f"transform({atoms.sql}, x -> {write('x')})", count=None)


def _is_plain(pair: KeyPair) -> bool:
    """True for an equality of single values, which can be looked up."""
    return pair.inner.one and pair.outer.one


def _never_null(sql: str) -> bool:
    return sql.endswith("L") and sql[:-1].isdigit()
