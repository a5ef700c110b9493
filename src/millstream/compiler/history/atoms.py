"""Atoms of sequences: the values of nodes, one value of at most one, values as numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from millstream.compiler.history.sequences import Atoms, Chain, Made, Nodes, Role, Sequence, Type
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.statement import Statement
from millstream.compiler.history.texts import string_value, trimmed, unmarked
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.compiler.names import string
from millstream.model.filler_layout import TEXT_MARK

_BY_KEY = "CASE WHEN a.k < b.k THEN -1 WHEN a.k > b.k THEN 1 ELSE 0 END"
_SEVERAL = string("several values where one is asked for")
_MISSING = string("no value where one is asked for")


class AtomReader:
    """Reads the values of sequences."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement

    def of_nodes(self, nodes: Nodes, read: Callable[[Spot], Atoms]) -> Atoms:
        """What is read of each of some nodes."""
        if nodes.array is None:
            found = read(nodes.spot)
            if nodes.guarded and nodes.present is not None:
                nothing = "NULL" if found.one else "array()"
                guarded = f"if({nodes.present}, {found.sql}, {nothing})"
                found = replace(found, sql=guarded, count=None)
            if nodes.required and found.one:
                missing = f"CAST(raise_error({_MISSING}) AS STRING)"
                return replace(found, sql=f"coalesce({found.sql}, {missing})")
            return found
        variable = self.statement.fresh("n")
        return self.mapped(nodes.array, variable, read(nodes.make(variable)))

    def mapped(self, array: str, variable: str, found: Atoms) -> Atoms:
        """What is found for each element of an array, one after the other."""
        each = f"transform({array}, {variable} -> {found.sql})"
        if not found.one:
            return replace(found, sql=f"flatten({each})", count=None)
        return replace(found, sql=f"filter({each}, x -> x IS NOT NULL)", one=False, count=None)

    def atoms(self, sequence: Sequence, *, ordered: bool = True) -> Atoms:
        """The values of the items of a sequence, in order unless that does not matter."""
        match sequence:
            case Atoms():
                return sequence
            case Nodes():
                return self.of_nodes(sequence, self.value)
            case Made():
                raise Untranslatable("the value of a constructed element")
            case Chain(parts, False) if ordered and len(parts) > 1:
                return self._sorted(parts)
            case Chain(parts):
                return self._joined([self.atoms(part, ordered=ordered) for part in parts])

    def _sorted(self, parts: tuple[Sequence, ...]) -> Atoms:
        """The values of nodes of several kinds, in document order."""
        values = f"transform({self.in_order(parts, self._plain_value)}, x -> x.v)"
        return Atoms(values, Type.UNTYPED, one=False, role=Role.ELEMENT)

    def _plain_value(self, spot: Spot) -> str:
        return self.value(spot).sql

    def in_order(self, parts: tuple[Sequence, ...], read: Callable[[Spot], str]) -> str:
        """What is read of nodes of several kinds, as an array of structs (k, v) in order."""
        arrays = []
        for part in parts:
            if not isinstance(part, Nodes) or part.key is None:
                raise Untranslatable("nodes of several kinds, in an order that is not known")
            name = self.statement.fresh("n")
            each = f"struct({part.key(name)} AS k, {read(part.make(name))} AS v)"
            if part.array is not None:
                arrays.append(f"transform({part.array}, {name} -> {each})")
            elif part.present is None:
                arrays.append(f"array({each})")
            else:
                arrays.append(
                    f"filter(array(if({part.present}, {each}, NULL)), x -> x IS NOT NULL)"
                )
        return f"array_sort(concat({', '.join(arrays)}), (a, b) -> {_BY_KEY})"

    def _joined(self, parts: list[Atoms]) -> Atoms:
        if not parts:
            return Atoms("CAST(NULL AS STRING)", Type.UNTYPED)
        if len(parts) == 1:
            return parts[0]
        types = {part.type for part in parts}
        if types <= {Type.INTEGER, Type.DOUBLE, Type.DECIMAL} and len(types) > 1:
            parts = [Atoms(f"CAST({part.sql} AS DOUBLE)", Type.DOUBLE, part.one) for part in parts]
            if not all(part.one for part in parts):
                raise Untranslatable("numbers of several types in one sequence")
        elif len(types) > 1:
            raise Untranslatable("values of several types in one sequence")
        roles = {part.role for part in parts}
        role = roles.pop() if len(roles) == 1 else Role.ELEMENT
        arrays = ", ".join(self.array(part) for part in parts)
        return Atoms(f"concat({arrays})", parts[0].type, one=False, role=role)

    def array(self, atoms: Atoms) -> str:
        """The values as an array."""
        if not atoms.one:
            return atoms.sql
        return f"filter(array({atoms.sql}), x -> x IS NOT NULL)"

    def value(self, spot: Spot) -> Atoms:
        """The value of a node: its text, with that of all that is in it."""
        if all(spot.source.catalog.is_leaf(place) for place in spot.places):
            text = spot.value("text")
            plain = text if spot.source.is_plain(spot.path) else unmarked(text)
            return Atoms(plain, Type.UNTYPED, role=Role.ELEMENT)
        return Atoms(string_value(self.xml(spot)), Type.UNTYPED, role=Role.ELEMENT)

    def xml(self, spot: Spot) -> str:
        """A node as XML, with its holes filled."""
        window = spot.window
        if window is None or not any(map(spot.source.catalog.has_holes, spot.places)):
            return spot.value("xml")
        if not is_constant(window.begin) or not is_constant(window.end) or window.closed != "true":
            raise Untranslatable("the whole of an element, within a window of its own")
        return spot.value("xml", window=window)

    def text_nodes(self, spot: Spot) -> Atoms:
        """The text nodes directly inside a node."""
        if spot.window is not None and any(
            child.fragmented
            for place in spot.places
            for child in spot.source.catalog.tag(place).children
        ):
            raise Untranslatable("text nodes beside holes, within a window")
        text = f"nullif({spot.value('text')}, '')"
        if spot.source.is_plain(spot.path):
            return Atoms(text, Type.UNTYPED, role=Role.TEXT_NODE)
        parts = f"coalesce(split({text}, {string(TEXT_MARK)}, -1), array())"
        return Atoms(parts, Type.UNTYPED, one=False, role=Role.TEXT_NODE)

    def one(self, atoms: Atoms) -> Atoms:
        """The only value, null if there is none; several are an error."""
        if atoms.one:
            return atoms
        element = atoms.type.value
        several = f"CAST(raise_error({_SEVERAL}) AS {element})"
        variable = self.statement.fresh("a")
        picked = f"if(size({variable}) > 1, {several}, get({variable}, 0))"
        sql = f"get(transform(array({atoms.sql}), {variable} -> {picked}), 0)"
        return replace(atoms, sql=sql, one=True, count=None)

    def double(self, atoms: Atoms) -> Atoms:
        """Values as doubles; what is no number is an error."""
        if atoms.type is Type.DOUBLE:
            return atoms
        if atoms.type in (Type.TRUTH, Type.TIME, Type.DURATION, Type.TEXT):
            raise Untranslatable("a number of what is none")
        if atoms.one:
            return Atoms(_double(atoms.sql, atoms.type), Type.DOUBLE)
        each = _double("x", atoms.type)
        return Atoms(f"transform({atoms.sql}, x -> {each})", Type.DOUBLE, one=False)


def _double(sql: str, type: Type) -> str:
    text = trimmed(sql) if type.textual else sql
    return f"CAST({text} AS DOUBLE)"


def is_constant(sql: str) -> bool:
    """True for SQL that names no column."""
    bare = sql.replace(":now", "").replace("greatest", "").replace("least", "")
    return not any(character.isalpha() and character != "L" for character in bare)
