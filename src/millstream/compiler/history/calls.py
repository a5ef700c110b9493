"""Functions of the library."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.xcql import expressions as core
from millstream.compiler.history.base import CompilerBase
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.sequences import (
    Atoms,
    Chain,
    Nodes,
    Role,
    Sequence,
    Type,
)
from millstream.compiler.history.sources import Asked
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.texts import shown, trimmed
from millstream.compiler.history.untranslatable import Untranslatable

_TRUTHS = {"true": "true", "false": "false"}
_MATH = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp")
_TEXT_TESTS = {"contains": "contains", "starts-with": "startswith", "ends-with": "endswith"}


class CallCompiler(CompilerBase):
    """Compiles function calls."""

    def call(self, call: core.Call, environment: Environment) -> Sequence:
        name, arguments = call.function, call.arguments
        match name:
            case "count":
                found = self.compiled(arguments[0], environment)
                return Atoms(self.count(found), Type.INTEGER)
            case "exists":
                return self._truth(self.exists(self.compiled(arguments[0], environment)))
            case "empty":
                return self._truth(f"NOT {self.exists(self.compiled(arguments[0], environment))}")
            case "not":
                return self._truth(f"NOT coalesce({self.truth(arguments[0], environment)}, false)")
            case "boolean":
                return self._truth(f"coalesce({self.truth(arguments[0], environment)}, false)")
            case "true" | "false":
                return self._truth(_TRUTHS[name])
            case "zero-or-one" | "exactly-one":
                return self._of_few(name, self.compiled(arguments[0], environment))
            case "position" if environment.position is not None:
                return Atoms(environment.position, Type.INTEGER)
            case "last" if environment.last is not None:
                return Atoms(environment.last, Type.INTEGER)
            case "vtFrom" | "vtTo":
                return self._ends(name, self.compiled(arguments[0], environment))
            case "name" | "local-name":
                return self._name(self.compiled(arguments[0], environment))
        return self._of_values(call, environment)

    def _truth(self, sql: str) -> Atoms:
        return Atoms(sql, Type.TRUTH)

    def _of_few(self, name: str, found: Sequence) -> Sequence:
        match found:
            case Nodes(array=None):
                return replace(found, required=name == "exactly-one")
            case Atoms(one=True) if name == "zero-or-one":
                return found
        raise Untranslatable(f"{name}() of what may be several")

    def _ends(self, name: str, found: Sequence) -> Atoms:
        """When elements begin or end."""
        if not isinstance(found, Nodes):
            raise Untranslatable("the lifespan of what is not stored, or in no order")
        return self.reader.of_nodes(found, lambda spot: self._end(name, spot))

    def _end(self, name: str, spot: Spot) -> Atoms:
        life = self.covers.lifespan(spot)
        return Atoms(life.begin if name == "vtFrom" else life.end, Type.TIME)

    def _name(self, found: Sequence) -> Atoms:
        if not isinstance(found, Nodes) or found.array is not None:
            raise Untranslatable("the name of what is not one stored element")
        spot = found.spot
        if spot.path:
            names = {spot.source.catalog.tag(place).name for place in spot.places}
            if len(names) > 1:
                raise Untranslatable("the names of elements of several kinds")
            named = f"'{names.pop()}'"
        else:
            named = spot.column(Asked("name"))
        if found.present is not None:
            named = f"if({found.present}, {named}, '')"
        return Atoms(named, Type.TEXT)

    def _of_values(self, call: core.Call, environment: Environment) -> Sequence:
        name, arguments = call.function, call.arguments
        match name:
            case "data":
                found = self.atoms(arguments[0], environment)
                return replace(found, role=_value_role(found), name="")
            case "sum" | "avg" | "min" | "max":
                return self._aggregate(name, self.atoms(arguments[0], environment, ordered=False))
            case "distinct-values":
                return self._distinct(self.atoms(arguments[0], environment))
            case "string":
                return self._string(arguments[0], environment)
            case "round" | "floor" | "ceiling" | "abs":
                return self._rounded(name, self.one(arguments[0], environment))
            case "math:pi":
                return Atoms("pi()", Type.DOUBLE)
        if name.removeprefix("math:") in _MATH and name.startswith("math:"):
            number = self.reader.double(self.one(arguments[0], environment)).sql
            return Atoms(f"{name.removeprefix('math:')}({number})", Type.DOUBLE)
        return self._of_texts(call, environment)

    def _of_texts(self, call: core.Call, environment: Environment) -> Sequence:
        name, arguments = call.function, call.arguments
        match name:
            case "concat":
                texts = [self._text(each, environment) for each in arguments]
                return Atoms(f"concat({', '.join(texts)})", Type.TEXT)
            case "contains" | "starts-with" | "ends-with":
                texts = [self._text(each, environment) for each in arguments]
                return self._truth(f"{_TEXT_TESTS[name]}({texts[0]}, {texts[1]})")
            case "string-length":
                length = f"length({self._text(arguments[0], environment)})"
                return Atoms(f"CAST({length} AS BIGINT)", Type.INTEGER)
            case "string-join":
                return self._string_join(arguments, environment)
            case "upper-case" | "lower-case":
                function = name.removesuffix("-case")
                return Atoms(f"{function}({self._text(arguments[0], environment)})", Type.TEXT)
        raise Untranslatable(f"{name}()", call.span)

    def _string(self, argument: core.Expression, environment: Environment) -> Atoms:
        return Atoms(self._text(argument, environment), Type.TEXT)

    def _text(self, argument: core.Expression, environment: Environment) -> str:
        """The text of at most one item, '' for none."""
        found = self.compiled(argument, environment)
        return f"coalesce({shown(self.reader.one(self.reader.atoms(found))).sql}, '')"

    def _string_join(
        self, arguments: tuple[core.Expression, ...], environment: Environment
    ) -> Atoms:
        values = shown(self.atoms(arguments[0], environment))
        between = "''" if len(arguments) < 2 else self._text(arguments[1], environment)
        return Atoms(f"array_join({self.reader.array(values)}, {between})", Type.TEXT)

    def _aggregate(self, name: str, values: Atoms) -> Atoms:
        if values.type is Type.UNTYPED:
            values = self.reader.double(values)
        if values.type is Type.TIME and name in ("min", "max"):
            array = self.reader.array(values)
            return Atoms(f"array_{name}({array})", Type.TIME)
        if values.type is Type.INTEGER and name != "avg":
            type, zero = Type.INTEGER, "0L"
        elif values.type is Type.DOUBLE:
            type, zero = Type.DOUBLE, "0D"
        else:
            raise Untranslatable(f"{name}() of values of this type")
        array = self.reader.array(values)
        if name in ("min", "max"):
            return Atoms(f"array_{name}({array})", type)
        total = f"aggregate({array}, {zero}, (a, x) -> a + x)"
        if name == "sum":
            return Atoms(total, type)
        return Atoms(f"if(size({array}) = 0, NULL, {total} / size({array}))", Type.DOUBLE)

    def _distinct(self, values: Atoms) -> Atoms:
        if not values.type.textual and values.type is not Type.INTEGER:
            raise Untranslatable("distinct-values() of numbers")
        kept = f"array_distinct({self.reader.array(values)})"
        return Atoms(kept, values.type, one=False, role=_value_role(values))

    def _rounded(self, name: str, value: Atoms) -> Atoms:
        if value.type is Type.UNTYPED:
            value = self.reader.double(value)
        if value.type is Type.INTEGER and name != "abs":
            return value
        if value.type is Type.DOUBLE:
            if name == "abs":
                return Atoms(f"abs({value.sql})", Type.DOUBLE)
            half = (
                f"floor({value.sql} + 0.5D)" if name == "round" else f"{_ceil(name)}({value.sql})"
            )
            # Beyond this, a double is a whole number already, and more than a bigint.
            whole = f"if(abs({value.sql}) < 4.5e15D, CAST({half} AS DOUBLE), {value.sql})"
            return Atoms(whole, Type.DOUBLE)
        if value.type is Type.INTEGER:
            return Atoms(f"abs({value.sql})", Type.INTEGER)
        raise Untranslatable(f"{name}() of a decimal")

    def cast(self, cast: core.Cast, environment: Environment) -> Sequence:
        """A value of an atomic type."""
        found = self.compiled(cast.operand, environment)
        if isinstance(found, Chain) and not found.parts:
            return found
        value = self.reader.one(self.reader.atoms(found))
        match cast.type:
            case "xs:double" if value.type in (Type.UNTYPED, Type.INTEGER, Type.DOUBLE):
                return self.reader.double(value)
            case "xs:integer" if value.type is Type.INTEGER:
                return value
            case "xs:integer" if value.type is Type.UNTYPED:
                return Atoms(f"CAST({trimmed(value.sql)} AS BIGINT)", Type.INTEGER)
            case "xs:decimal" if value.type in (Type.DECIMAL, Type.INTEGER):
                return replace(value, role=Role.VALUE)
            case "xs:decimal" if value.type is Type.UNTYPED:
                return Atoms(_decimal(value.sql), Type.DECIMAL)
            case "xs:string":
                return Atoms(shown(value).sql, Type.TEXT)
            case "xs:boolean" if value.type is Type.TRUTH:
                return value
            case "xs:dateTime" | "xs:date" if value.type is Type.TIME:
                return value
        raise Untranslatable(f"a cast to {cast.type}", cast.span)


def _ceil(name: str) -> str:
    return "ceil" if name == "ceiling" else name


def _decimal(sql: str) -> str:
    """The decimal that a text stands for; one with more digits than are kept is an error."""
    text = trimmed(sql)
    wide = f"{text} RLIKE '[.][0-9]{{10,}}|[0-9]{{10,}}[.]?|[eE]'"
    raised = "CAST(raise_error('a long decimal') AS DECIMAL(18,9))"
    return f"if({wide}, {raised}, CAST({text} AS DECIMAL(18,9)))"


def _value_role(found: Atoms) -> Role:
    """Values of elements still compare without the space around them; others are plain values."""
    return Role.ELEMENT if found.role in (Role.ELEMENT, Role.TEXT_NODE) else Role.VALUE
