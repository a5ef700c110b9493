"""Expressions of the algebra as Spark SQL text."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewElement,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Text,
)
from millstream.compiler import names
from millstream.compiler.arithmetic import calculate
from millstream.compiler.comparisons import compare
from millstream.compiler.construction import parts_of, text_of
from millstream.compiler.environment import Environment
from millstream.compiler.functions import call
from millstream.compiler.items import Item, Lexical, Markup, Role, Value, truth_value
from millstream.compiler.paths import follow
from millstream.compiler.scope import Scope
from millstream.compiler.sequences import (
    EMPTY,
    Choice,
    Items,
    Loop,
    bind,
    chain,
    lambda_name,
    present,
    some,
)
from millstream.compiler.truth import truth_of
from millstream.errors import InternalError
from millstream.model.schema import ValueType


def condition(expr: Expression, scope: Scope) -> str:
    """The effective boolean value of an expression: an SQL boolean, never null."""
    return truth_of(items_of(expr, scope))


def render(expr: Expression, scope: Scope) -> str:
    """The sequence that an expression gives, as text: an SQL string, never null."""
    return text_of(parts_of(expr, environment_of(scope)))


def items_of(expr: Expression, scope: Scope) -> Items:
    """The sequence that an expression gives."""
    return environment_of(scope).items(expr)


def environment_of(scope: Scope) -> Environment:
    """The variables of a scope, outside of all loops."""
    return Environment(scope, _visit)


def _visit(expression: Expression, environment: Environment) -> Items:
    match expression:
        case Literal():
            return _literal(expression)
        case Text(value):
            sql = names.string(value)
            return Lexical(sql, ValueType.TEXT, Role.TEXT) if value else EMPTY
        case PathTo():
            return follow(expression, environment)
        case Compare() | And() | Or() | Quantified():
            return truth_value(_test(expression, environment))
        case Arithmetic():
            return calculate(expression, environment)
        case Call(function, arguments):
            return call(function, arguments, environment)
        case If(test, then, otherwise):
            chosen = truth_of(environment.items(test))
            return Choice(chosen, environment.items(then), environment.items(otherwise))
        case Sequence(items):
            return chain([environment.items(item) for item in items])
        case Each():
            return _each(expression, environment)
        case NewElement(name):
            return Markup(text_of(parts_of(expression, environment)), name)
        case _:
            raise InternalError("a result tuple stands inside of nothing")


def _literal(literal: Literal) -> Value:
    match literal.value:
        case bool(value):
            return Value("true" if value else "false", None, literal)
        case int(value):
            return Value(names.integer(value), ValueType.INTEGER, literal)
        case Decimal() as value:
            return Value(names.exact(value), ValueType.DECIMAL, literal)
        case float(value):
            return Value(names.double(value), ValueType.DOUBLE, literal)
        case str(value):
            return Value(names.string(value), ValueType.TEXT, literal)


def _test(expression: Compare | And | Or | Quantified, environment: Environment) -> str:
    match expression:
        case Compare():
            return compare(expression, environment)
        case And(operands):
            return _joined("AND", operands, environment)
        case Or(operands):
            return _joined("OR", operands, environment)
        case Quantified():
            return _quantified(expression, environment)


def _joined(word: str, operands: tuple[Expression, ...], environment: Environment) -> str:
    tests = [truth_of(environment.items(operand)) for operand in operands]
    return f"({f' {word} '.join(tests)})"


def _quantified(quantified: Quantified, environment: Environment) -> str:
    def test(item: Item, loops: int) -> Items:
        inner = environment.inside(loops).bind(quantified.variable, item)
        holds = truth_of(inner.items(quantified.condition))
        wanted = f"NOT {holds}" if quantified.every else holds
        return truth_value(f"({present(item)} AND {wanted})")

    found = some(bind(environment.items(quantified.source), test), lambda item: item.sql)
    return f"(NOT {found})" if quantified.every else found


def _each(each: Each, environment: Environment) -> Items:
    def result(item: Item, loops: int) -> Items:
        if names.is_constant(item.sql):
            return body(item, loops)
        if names.is_reference(item.sql):
            return Choice(present(item), body(item, loops), EMPTY)
        # A loop over one element computes once what the body may use often.
        name = lambda_name(environment.depth + loops)
        named = body(replace(item, sql=name), loops + 1)
        return Loop(f"array_compact(array({item.sql}))", name, named)

    def body(item: Item, loops: int) -> Items:
        inner = environment.inside(loops).bind(each.variable, item)
        given = inner.items(each.result)
        if each.condition is None:
            return given
        return Choice(truth_of(inner.items(each.condition)), given, EMPTY)

    return bind(environment.items(each.source), result)
