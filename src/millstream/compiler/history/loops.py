"""Loops: in rows of their own that are joined to those around them, or inside a row."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.walk import bound, walk
from millstream.compiler.history.conditions import Conditions
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.joins import Join
from millstream.compiler.history.ranges import RangeCompiler, starts_at_stream
from millstream.compiler.history.sequences import (
    Atoms,
    Chain,
    Made,
    Nodes,
    Sequence,
    Type,
    when,
)
from millstream.compiler.history.untranslatable import Untranslatable


class LoopCompiler(RangeCompiler):
    """Compiles loops."""

    def loop(self, loop: core.Loop, environment: Environment) -> Sequence:
        """A loop inside an expression."""
        while loop.clauses and isinstance(loop.clauses[0], core.Let):
            first = loop.clauses[0]
            value = self.compiled(first.value, environment)
            local = environment.is_local(first.value)
            environment = environment.bind(first.variable, value, local=local)
            loop = replace(loop, clauses=loop.clauses[1:])
        if not loop.clauses:
            result = self.compiled(loop.result, environment)
            if loop.where is None:
                return result
            holds = f"coalesce({self.truth(loop.where, environment)}, false)"
            return when(holds, result)
        first_for = loop.clauses[0]
        assert isinstance(first_for, core.For)
        if starts_at_stream(first_for.source):
            return self._joined(loop, environment)
        return self._inside(loop, first_for, environment)

    # -- inside a row -------------------------------------------------------------------------

    def _inside(self, loop: core.Loop, first: core.For, environment: Environment) -> Sequence:
        """A loop over what a row holds: a function of arrays."""
        if loop.order or first.position is not None:
            raise Untranslatable("order or positions in a loop inside a row", loop.span)
        source = self.compiled(first.source, environment)
        rest = replace(loop, clauses=loop.clauses[1:])
        match source:
            case Nodes(array=None, present=present):
                inner = environment.bind(
                    first.variable, Nodes.one(source.spot), local=environment.is_local(first.source)
                )
                found = self.loop(rest, inner)
                return found if present is None else when(present, found)
            case Nodes(array=str()):
                return self._over_nodes(source, first.variable, rest, environment)
            case Atoms(sql, one=False):
                name = self.statement.fresh("n")
                item = replace(source, sql=name, one=True, count=None)
                found = self.loop(rest, environment.bind(first.variable, item, local=True))
                return self._mapped(sql, name, found)
            case Atoms(sql, one=True):
                inner = environment.bind(
                    first.variable, source, local=environment.is_local(first.source)
                )
                return when(f"{sql} IS NOT NULL", self.loop(rest, inner))
            case Chain(()):
                return source
        raise Untranslatable("a loop over items of several kinds", loop.span)

    def _over_nodes(
        self, source: Nodes, variable: str, rest: core.Loop, environment: Environment
    ) -> Sequence:
        assert source.array is not None
        if not rest.clauses and rest.where is not None:
            kept = self._kept_by_where(source, variable, rest.where, environment)
            return self._over_nodes(kept, variable, replace(rest, where=None), environment)
        name = self.statement.fresh("n")

        def found_at(spot_name: str) -> Sequence:
            item = Nodes.one(source.make(spot_name))
            return self.loop(rest, environment.bind(variable, item, local=True))

        found = found_at(name)
        if not isinstance(found, Nodes):
            return self._mapped(source.array, name, found)
        if found.array is None and found.present is None and not rest.clauses:
            return Nodes(lambda each: _nodes(found_at(each)).spot, source.array, contained=True)
        raise Untranslatable("nodes of a loop inside a row", rest.span)

    def _kept_by_where(
        self, source: Nodes, variable: str, where: core.Expression, environment: Environment
    ) -> Nodes:
        name = self.statement.fresh("n")
        item = Nodes.one(source.make(name))
        holds = self.truth(where, environment.bind(variable, item, local=True))
        kept = f"filter({source.array}, {name} -> coalesce({holds}, false))"
        return replace(source, array=kept, count=None)

    def _mapped(self, array: str, name: str, found: Sequence) -> Sequence:
        match found:
            case Atoms():
                return self.reader.mapped(array, name, found)
            case Made(sql, one):
                each = f"transform({array}, {name} -> {sql})"
                kept = f"filter({each}, x -> x IS NOT NULL)" if one else f"flatten({each})"
                return Made(kept, one=False)
            case Chain(()):
                return found
            case Chain(parts) if all(isinstance(part, Atoms) for part in parts):
                return self.reader.mapped(array, name, self.reader.atoms(found))
        raise Untranslatable("items of several kinds in a loop inside a row")

    def quantified(self, asked: core.Quantified, environment: Environment) -> Sequence:
        """some and every: whether a loop gives anything."""
        condition = asked.condition
        if asked.every:
            condition = core.Call("not", (condition,))
        first = asked.bindings[0]
        if starts_at_stream(first.source):
            loop = core.Loop(asked.bindings, core.Literal(1), condition, span=asked.span)
            found = self.exists(self._joined(loop, environment))
        else:
            found = self._some(asked.bindings, condition, environment)
        return Atoms(f"NOT {found}" if asked.every else found, Type.TRUTH)

    def _some(
        self, bindings: tuple[core.For, ...], condition: core.Expression, environment: Environment
    ) -> str:
        if not bindings:
            return f"coalesce({self.truth(condition, environment)}, false)"
        first, rest = bindings[0], bindings[1:]
        source = self.compiled(first.source, environment)
        match source:
            case Nodes(array=None, present=present):
                inner = environment.bind(
                    first.variable, Nodes.one(source.spot), local=environment.is_local(first.source)
                )
                holds = self._some(rest, condition, inner)
                return holds if present is None else f"({present} AND {holds})"
            case Nodes(array=str(array)):
                name = self.statement.fresh("n")
                item: Sequence = Nodes.one(source.make(name))
            case Atoms(sql, one=False):
                array, name = sql, self.statement.fresh("n")
                item = replace(source, sql=name, one=True, count=None)
            case Atoms(sql, one=True):
                inner = environment.bind(
                    first.variable, source, local=environment.is_local(first.source)
                )
                return f"({sql} IS NOT NULL AND {self._some(rest, condition, inner)})"
            case Chain():
                raise Untranslatable("a variable over items of several kinds", first.span)
            case _:
                raise Untranslatable("a variable over constructed elements", first.span)
        inner = environment.bind(first.variable, item, local=True)
        return f"exists({array}, {name} -> {self._some(rest, condition, inner)})"

    # -- in rows of its own -------------------------------------------------------------------

    def _joined(self, loop: core.Loop, environment: Environment) -> Sequence:
        """A loop over a stream: its rows are gathered and joined to those around it."""
        frame = environment.frame
        if loop in frame.answered:
            return frame.answered[loop]
        if environment.is_local(loop):
            raise Untranslatable("a loop over a stream for each element inside a row", loop.span)
        if _asks_context(loop):
            raise Untranslatable("a loop over a stream in a predicate", loop.span)
        found = Join(self, loop, environment).attached()
        frame.answered[loop] = found
        return found

    def clauses(
        self,
        clauses: tuple[core.For | core.Let, ...],
        environment: Environment,
        conditions: Conditions,
    ) -> Environment:
        """The variables of clauses, each bound in the rows of the frame."""
        for clause in clauses:
            if conditions.depends(clause):
                conditions.mixed |= set(bound(clause))
            if isinstance(clause, core.Let):
                value = self.compiled(clause.value, environment)
                environment = environment.bind(clause.variable, value)
                continue
            outside = len(environment.frame.keys), len(environment.frame.order)
            item = self.ranged(clause.source, environment, conditions)
            environment = environment.bind(clause.variable, item)
            if clause.position is not None:
                environment = self._with_position(clause, environment, conditions, outside)
        return environment

    def _with_position(
        self,
        clause: core.For,
        environment: Environment,
        conditions: Conditions,
        outside: tuple[int, int],
    ) -> Environment:
        if conditions.has_residual:
            raise Untranslatable("positions in an inner loop", clause.span)
        conditions.apply()
        number, _ = environment.frame.positions(outside)
        position = Atoms(number, Type.INTEGER)
        assert clause.position is not None
        return environment.bind(clause.position, position)


def _asks_context(loop: core.Loop) -> bool:
    """True if a loop asks for a context item that is not its own."""
    inner = {
        each
        for node in walk(loop)
        if isinstance(node, core.Step | core.Filter)
        for predicate in node.predicates
        for each in walk(predicate)
        if isinstance(each, core.Context)
    }
    found = [each for each in walk(loop) if isinstance(each, core.Context)]
    return bool(found) and not inner


def _nodes(found: Sequence) -> Nodes:
    assert isinstance(found, Nodes), "the same loop gives the same"
    return found
