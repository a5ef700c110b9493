"""What every part of the compiler may ask of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod

from millstream.algebra.xcql.expressions import Expression
from millstream.compiler.history.atoms import AtomReader
from millstream.compiler.history.catalog import Catalog
from millstream.compiler.history.covers import Covers
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.navigation import Navigation
from millstream.compiler.history.sequences import (
    Atoms,
    Chain,
    Made,
    Nodes,
    Role,
    Sequence,
    Type,
    leaves,
)
from millstream.compiler.history.statement import Statement
from millstream.compiler.history.untranslatable import Untranslatable


class CompilerBase(ABC):
    """Compiles expressions; each kind of expression has a file of its own."""

    def __init__(self, catalog: Catalog, *, from_root: bool) -> None:
        self.catalog = catalog
        self.from_root = from_root
        """True if paths go down from the root, through the holes on the way."""
        self.statement = Statement()
        self.navigation = Navigation(catalog, self.statement)
        self.covers = Covers(self.navigation)
        self.reader = AtomReader(self.statement)

    @abstractmethod
    def compiled(self, expression: Expression, environment: Environment) -> Sequence:
        """The value of an expression."""

    def atoms(
        self, expression: Expression, environment: Environment, *, ordered: bool = True
    ) -> Atoms:
        """The values of the items of an expression, in order unless that does not matter."""
        return self.reader.atoms(self.compiled(expression, environment), ordered=ordered)

    def one(self, expression: Expression, environment: Environment) -> Atoms:
        """The value of an expression that has at most one."""
        return self.reader.one(self.atoms(expression, environment))

    def truth(self, expression: Expression, environment: Environment) -> str:
        """Whether an expression holds; null counts as false."""
        return self.is_true(self.compiled(expression, environment))

    def is_true(self, sequence: Sequence) -> str:
        """Whether a sequence counts as true."""
        match sequence:
            case Atoms(sql, Type.TRUTH, True):
                return sql
            case Atoms(sql, type, True, Role.VALUE) if type.textual:
                return f"{sql} <> ''"
            case Atoms(sql, type, True, Role.VALUE) if type.numeric:
                return f"{sql} <> 0"
            case Atoms(role=Role.VALUE | Role.ELEMENT):
                raise Untranslatable("whether a sequence of values is true")
        values = (Role.VALUE, Role.ELEMENT)
        if any(isinstance(leaf, Atoms) and leaf.role in values for leaf in leaves(sequence)):
            raise Untranslatable("whether a sequence of values is true")
        return self.exists(sequence)

    def exists(self, sequence: Sequence) -> str:
        """Whether there are items; never null."""
        match sequence:
            case Atoms(sql, one=True):
                return f"({sql} IS NOT NULL)"
            case Nodes(array=None, present=None):
                return "true"
            case Nodes(array=None, present=str(present)):
                return f"({present})"
            case Made(sql, True):
                return f"({sql} IS NOT NULL)"
            case Chain(parts):
                return f"({' OR '.join(map(self.exists, parts)) or 'false'})"
        return f"({self.count(sequence)} > 0)"

    def count(self, sequence: Sequence) -> str:
        """How many items there are; never null."""
        match sequence:
            case Atoms(count=str(count)) | Made(count=str(count)) | Nodes(count=str(count)):
                return count
            case Atoms(sql, one=False) | Made(sql, False):
                return f"CAST(size({sql}) AS BIGINT)"
            case Nodes(array=str(array)):
                return f"CAST(size({array}) AS BIGINT)"
            case Chain(parts):
                return f"({' + '.join(map(self.count, parts)) or '0L'})"
        return f"if({self.exists(sequence)}, 1L, 0L)"
