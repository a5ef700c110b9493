"""From a syntax tree back to the text of a query: reading the text gives the tree again."""

from __future__ import annotations

from millstream.languages.xquery import syntax
from millstream.languages.xquery.operations import LEVELS, PRECEDENCE
from millstream.languages.xquery.unparsed_constructors import computed_name, direct_element
from millstream.languages.xquery.unparsed_text import quoted

CLAUSE = 0
"""How tightly a FLWOR, some, every or if holds together: looser than all operators."""
UNARY = len(LEVELS) + 1
PATH = UNARY + 1
PRIMARY = PATH + 1


def unparse(module: syntax.Module) -> str:
    """The text of a query."""
    lines = [f"xquery version {quoted(module.version)};"] if module.version is not None else []
    lines += (_declaration(each) for each in module.declarations)
    tags = " with tags" if module.with_tags else ""
    return "\n".join([*lines, unparse_expression(module.body) + tags])


def unparse_expression(expression: syntax.Expression, tightness: int = CLAUSE) -> str:
    """The text of an expression, in parentheses where its surroundings bind tighter."""
    own, text = _unparsed(expression)
    return text if own >= tightness else f"({text})"


def _unparsed(expression: syntax.Expression) -> tuple[int, str]:
    match expression:
        case syntax.Flwor():
            return CLAUSE, _flwor(expression)
        case syntax.Quantified():
            return CLAUSE, _quantified(expression)
        case syntax.If(condition, then, otherwise):
            parts = (unparse_expression(each) for each in (condition, then, otherwise))
            return CLAUSE, "if ({}) then {} else {}".format(*parts)
        case syntax.Logical(operator, operands):
            level = PRECEDENCE[operator] + 1
            return level, f" {operator} ".join(
                unparse_expression(each, level + 1) for each in operands
            )
        case syntax.Binary(operator, left, right):
            return _binary(operator, left, right)
        case syntax.Unary(operator, operand):
            return UNARY, operator + unparse_expression(operand, UNARY)
        case syntax.Path():
            return PATH, _path(expression)
        case syntax.Filter(base, predicates):
            return PATH, _projected_or_primary(base) + _predicates(predicates)
        case syntax.IntervalProjection(base, begin, end):
            return PATH, f"{unparse_expression(base, PATH)}?{_bounds(begin, end)}"
        case syntax.VersionProjection(base, first, last):
            return PATH, f"{unparse_expression(base, PATH)}#{_bounds(first, last)}"
        case _:
            return PRIMARY, _primary(expression)


def _binary(operator: str, left: syntax.Expression, right: syntax.Expression) -> tuple[int, str]:
    level = PRECEDENCE[operator] + 1
    unchained = level in (PRECEDENCE["="] + 1, PRECEDENCE["to"] + 1)
    first = unparse_expression(left, level + 1 if unchained else level)
    return level, f"{first} {operator} {unparse_expression(right, level + 1)}"


def _projected_or_primary(base: syntax.Expression) -> str:
    """What predicates or steps apply to: a projection holds together without parentheses."""
    projected = isinstance(base, syntax.IntervalProjection | syntax.VersionProjection)
    return unparse_expression(base, PATH if projected else PRIMARY)


def _bounds(first: syntax.Expression, second: syntax.Expression | None) -> str:
    return f"[{_listed((first,) if second is None else (first, second))}]"


def _primary(expression: syntax.Expression) -> str:
    match expression:
        case syntax.StringLiteral(value):
            return quoted(value)
        case (
            syntax.NumberLiteral(text)
            | syntax.TimeLiteral(text)
            | syntax.DurationLiteral(text)
            | syntax.TimeWord(text)
        ):
            return text
        case syntax.Interval(begin, end):
            return _bounds(begin, end)
        case syntax.VariableReference(name):
            return f"${name}"
        case syntax.ContextItem():
            return "."
        case syntax.Root():
            # A bare slash would take a name or star after it for its first step.
            return "(/)"
        case syntax.FunctionCall(name, arguments):
            return f"{name}({_listed(arguments)})"
        case syntax.Postponed(body):
            return f"function() {_braced(body)}"
        case syntax.Sequence(items):
            return f"({_listed(items)})"
        case _:
            return _constructor(expression)


def _constructor(expression: syntax.Expression) -> str:
    match expression:
        case syntax.DirectElement():
            return direct_element(expression, unparse_expression)
        case syntax.ComputedElement(name, content):
            return f"element {computed_name(name, unparse_expression)} {_braced(content)}"
        case syntax.ComputedAttribute(name, content):
            return f"attribute {computed_name(name, unparse_expression)} {_braced(content)}"
        case syntax.ComputedText(content):
            return f"text {_braced(content)}"
    raise AssertionError(f"no primary expression: {expression}")


def _braced(content: syntax.Expression) -> str:
    return f"{{ {unparse_expression(content)} }}"


def _listed(items: tuple[syntax.Expression, ...]) -> str:
    return ", ".join(unparse_expression(each) for each in items)


def _predicates(predicates: tuple[syntax.Expression, ...]) -> str:
    return "".join(f"[{unparse_expression(each)}]" for each in predicates)


def _path(path: syntax.Path) -> str:
    steps = "".join(_slashed(step) for step in path.steps)
    match path.origin:
        case None:
            return _context_path(path.steps)
        case syntax.Root():
            return steps
        case syntax.Filter():
            return unparse_expression(path.origin, PATH) + steps
        case _:
            return _projected_or_primary(path.origin) + steps


def _context_path(steps: tuple[syntax.PathStep, ...]) -> str:
    """A path from the context item, whose first dot would be read as the item itself."""
    first = steps[0]
    rest = "".join(_slashed(step) for step in steps[1:])
    if isinstance(first, syntax.Step) and first.axis == "self":
        return f"self::{first.test}{_predicates(first.predicates)}{rest}"
    return _step(first) + rest


def _slashed(step: syntax.PathStep) -> str:
    return ("//" if step.deep else "/") + _step(step)


def _step(step: syntax.PathStep) -> str:
    predicates = _predicates(step.predicates)
    match step:
        case syntax.ExpressionStep(syntax.FunctionCall() as call):
            return _primary(call) + predicates
        case syntax.ExpressionStep(expression):
            return f"({unparse_expression(expression)}){predicates}"
        case syntax.Step("node()", "self"):
            return "." + predicates
        case syntax.Step("node()", "parent"):
            return ".." + predicates
        case syntax.Step(test, "attribute"):
            return f"@{test}{predicates}"
        case syntax.Step(test, "child"):
            return test + predicates
        case syntax.Step(test, axis):
            return f"{axis}::{test}{predicates}"


def _flwor(flwor: syntax.Flwor) -> str:
    parts = [_for(each) if isinstance(each, syntax.For) else _let(each) for each in flwor.clauses]
    if flwor.where is not None:
        parts.append(f"where {unparse_expression(flwor.where)}")
    if flwor.order:
        stable = "stable " if flwor.stable else ""
        parts.append(f"{stable}order by {', '.join(_order_key(each) for each in flwor.order)}")
    return "\n".join([*parts, f"return {unparse_expression(flwor.result)}"])


def _for(clause: syntax.For) -> str:
    position = f" at ${clause.position}" if clause.position else ""
    window = f" {_window(clause.window)}" if clause.window else ""
    # A union in the open could be taken for the beginning of a window.
    source = unparse_expression(clause.source, PATH)
    return f"for ${clause.variable}{_type(clause.type)}{position} in {source}{window}"


def _let(clause: syntax.Let) -> str:
    return f"let ${clause.variable}{_type(clause.type)} := {unparse_expression(clause.value)}"


def _window(window: syntax.Window) -> str:
    kind = " ".join(filter(None, ("/".join(window.reference), window.kind.value)))
    step = f" step {window.step}" if window.step is not None else ""
    return f"|{kind} {window.size}{step}|"


def _order_key(key: syntax.OrderKey) -> str:
    descending = " descending" if key.descending else ""
    empty = f" empty {key.empty}" if key.empty else ""
    return unparse_expression(key.key) + descending + empty


def _quantified(quantified: syntax.Quantified) -> str:
    bindings = ", ".join(
        f"${each.variable}{_type(each.type)} in {unparse_expression(each.source)}"
        for each in quantified.bindings
    )
    word = "every" if quantified.every else "some"
    return f"{word} {bindings} satisfies {unparse_expression(quantified.condition)}"


def _type(declared: syntax.SequenceType | None) -> str:
    return f" as {declared.item}{declared.occurrence}" if declared else ""


def _declaration(declaration: syntax.Declaration) -> str:
    match declaration:
        case syntax.VariableDeclaration(name, value, declared):
            return f"declare variable ${name}{_type(declared)} := {unparse_expression(value)};"
        case syntax.FunctionDeclaration(name, parameters, body, declared):
            listed = ", ".join(f"${each.name}{_type(each.type)}" for each in parameters)
            head = f"declare function {name}({listed}){_type(declared)}"
            return f"{head} {_braced(body)};"
