"""Random syntax trees, of all that can be written."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from millstream.languages.xquery import syntax
from millstream.languages.xquery.operations import PRECEDENCE
from millstream.model.window import WindowKind

# Words of the language are names as well: no word is reserved.
WORDS = ("for", "let", "where", "return", "if", "some", "div", "and", "count", "text", "element")
NAMES = st.one_of(
    st.sampled_from(("photon", "en", "det_time", "a-b", "a.b", "p:q", "_x", "é")),
    st.sampled_from(WORDS),
)
FUNCTIONS = st.sampled_from(("count", "fn:avg", "local:f", "starts-with"))
CHARACTERS = st.text(
    st.one_of(st.sampled_from("\"'&<>{} \t\n\r]"), st.characters(codec="utf-8", min_codepoint=32)),
    max_size=8,
).filter(lambda text: not any(each in text for each in "\ufffe\uffff"))
NUMBERS = st.sampled_from(("0", "7", "120.0", ".5", "3.", "1e3", "2.5E-7"))
OPERATORS = st.sampled_from([each for each in PRECEDENCE if each not in ("or", "and", "union")])
TYPES = st.one_of(
    st.none(),
    st.builds(
        syntax.SequenceType,
        st.sampled_from(("xs:integer", "node()", "element(en)", "item()")),
        st.sampled_from(("", "?", "*", "+")),
    ),
)
AXES = st.sampled_from(("child", "child", "descendant", "attribute", "ancestor", "self"))


def some(each: SearchStrategy, least: int = 0, most: int = 3) -> SearchStrategy:
    return st.lists(each, min_size=least, max_size=most).map(tuple)


def leaves() -> SearchStrategy:
    return st.one_of(
        st.builds(syntax.StringLiteral, CHARACTERS),
        st.builds(syntax.NumberLiteral, NUMBERS),
        st.builds(syntax.VariableReference, NAMES),
        st.builds(syntax.ContextItem),
        st.builds(syntax.TimeLiteral, st.just("2003-11-01T10:12")),
        st.builds(syntax.Root),
        st.builds(syntax.Sequence),
    )


def steps(inner: SearchStrategy, *, deep: bool = True) -> SearchStrategy:
    deeply = st.booleans() if deep else st.just(False)
    few = some(inner, 0, 2)
    return st.one_of(
        st.builds(syntax.Step, NAMES, AXES, few, deeply),
        st.builds(syntax.Step, st.sampled_from(("*", "text()")), st.just("child"), few, deeply),
        st.builds(syntax.Step, st.just("node()"), st.just("parent"), few, deeply),
        st.builds(syntax.ExpressionStep, inner, few, deeply),
    )


def paths(inner: SearchStrategy) -> SearchStrategy:
    name_first = st.builds(syntax.Step, NAMES, AXES, some(inner, 0, 2))
    relative = st.tuples(name_first, some(steps(inner), 0, 2)).map(lambda pair: (pair[0], *pair[1]))
    return st.one_of(
        st.builds(syntax.Path, st.none(), relative),
        st.builds(syntax.Path, inner, some(steps(inner), 1, 3)),
    )


def windows() -> SearchStrategy:
    sizes = st.integers(1, 100)
    step = st.one_of(st.none(), sizes)
    reference = some(st.one_of(NAMES, st.just("."), NAMES.map("@{}".format)), 1, 3)
    return st.one_of(
        st.none(),
        st.builds(syntax.Window, st.just(WindowKind.COUNT), sizes, step),
        st.builds(syntax.Window, st.just(WindowKind.DIFF), sizes, step, reference),
    )


def clauses(inner: SearchStrategy) -> SearchStrategy:
    position = st.one_of(st.none(), NAMES)
    return st.one_of(
        st.builds(syntax.For, NAMES, inner, TYPES, position, windows()),
        st.builds(syntax.Let, NAMES, inner, TYPES),
    )


def bounds(inner: SearchStrategy) -> SearchStrategy:
    """What may stand in the brackets of a projection."""
    words = st.sampled_from(("now", "start", "last"))
    dates = st.sampled_from(("2003-11-01", "2003-11-01T10:12:56", "2003-11-01T10:12:56.5Z"))
    lengths = st.sampled_from(("PT1H", "P1Y2M3DT4H5M6.7S", "P2W"))
    simple = st.one_of(
        st.builds(syntax.TimeWord, words),
        st.builds(syntax.TimeLiteral, dates),
        st.builds(syntax.DurationLiteral, lengths),
        inner,
    )
    return st.one_of(simple, st.builds(syntax.Binary, st.sampled_from("+-"), simple, simple))


def projections(inner: SearchStrategy) -> SearchStrategy:
    bound = bounds(inner)
    last = st.one_of(st.none(), bound)
    return st.one_of(
        st.builds(syntax.IntervalProjection, inner, bound, last),
        st.builds(syntax.VersionProjection, inner, bound, last),
        st.builds(syntax.Interval, bound, last),
    )


def flwors(inner: SearchStrategy) -> SearchStrategy:
    empty = st.sampled_from((None, "greatest", "least"))
    keys = some(st.builds(syntax.OrderKey, inner, st.booleans(), empty), 1, 2)
    plain = st.builds(syntax.Flwor, some(clauses(inner), 1, 3), inner, st.one_of(st.none(), inner))
    ordered = st.builds(
        syntax.Flwor, some(clauses(inner), 1, 2), inner, st.none(), keys, st.booleans()
    )
    return st.one_of(plain, ordered)


def texts() -> SearchStrategy:
    return st.builds(syntax.Text, CHARACTERS.filter(bool))


def apart(parts: tuple[syntax.Node, ...]) -> tuple[syntax.Node, ...]:
    """The parts without a text that follows a text: they would be one."""
    kept: list[syntax.Node] = []
    for part in parts:
        if not (kept and isinstance(part, syntax.Text) and isinstance(kept[-1], syntax.Text)):
            kept.append(part)
    return tuple(kept)


def attributes(inner: SearchStrategy) -> SearchStrategy:
    parts = some(st.one_of(texts(), st.builds(syntax.Enclosed, inner))).map(apart)
    each = st.builds(syntax.DirectAttribute, NAMES, parts)
    return st.lists(each, max_size=2, unique_by=lambda attribute: attribute.name).map(tuple)


def elements(inner: SearchStrategy) -> SearchStrategy:
    small = st.builds(syntax.DirectElement, NAMES, attributes(inner))
    part = st.one_of(
        texts(),
        st.builds(syntax.Enclosed, inner),
        st.builds(syntax.Comment, st.sampled_from(("", " a ", "<b>{"))),
        small,
    )
    content = some(part, 0, 4).map(apart)
    return st.builds(syntax.DirectElement, NAMES, attributes(inner), content)


def compounds(inner: SearchStrategy) -> SearchStrategy:
    quantifiers = some(st.builds(syntax.Quantifier, NAMES, inner, TYPES), 1, 2)
    names = st.one_of(NAMES, inner)
    return st.one_of(
        st.builds(syntax.FunctionCall, FUNCTIONS, some(inner)),
        st.builds(syntax.Sequence, some(inner, 2, 3)),
        paths(inner),
        projections(inner),
        st.builds(syntax.Filter, inner, some(inner, 1, 2)),
        st.builds(syntax.Binary, OPERATORS, inner, inner),
        st.builds(syntax.Logical, st.sampled_from(("or", "and")), some(inner, 2, 3)),
        st.builds(syntax.Unary, st.sampled_from("+-"), inner),
        st.builds(syntax.If, inner, inner, inner),
        flwors(inner),
        st.builds(syntax.Quantified, st.booleans(), quantifiers, inner),
        elements(inner),
        st.builds(syntax.ComputedElement, names, inner),
        st.builds(syntax.ComputedAttribute, names, inner),
        st.builds(syntax.ComputedText, inner),
    )


EXPRESSIONS = st.recursive(leaves(), compounds, max_leaves=12)


def modules() -> SearchStrategy:
    parameters = some(st.builds(syntax.Parameter, NAMES, TYPES), 0, 2)
    declaration = st.one_of(
        st.builds(syntax.VariableDeclaration, NAMES, leaves(), TYPES),
        st.builds(syntax.FunctionDeclaration, FUNCTIONS, parameters, leaves(), TYPES),
    )
    version = st.sampled_from((None, "1.0", "3.1"))
    return st.builds(syntax.Module, some(declaration, 0, 2), EXPRESSIONS, version)
