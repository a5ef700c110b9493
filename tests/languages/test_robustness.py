"""Whatever is written, the answer is a query or an error that explains itself."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.algebra.explain import explain
from millstream.errors import InternalError, MillstreamError
from millstream.languages.xquery import compile_text, lower, parse
from millstream.languages.xquery import syntax as syntax
from tests.languages.streams import Streams
from tests.languages.trees import modules

PIECES = st.sampled_from(
    (
        *("for", "let", "in", "return", "where", "if", "then", "else", "some", "satisfies"),
        *("$s", "$p", ":=", "(", ")", "[", "]", "{", "}", "<a>", "</a>", "<b/>", "<", ">", "/"),
        *("//", "|", "|count 2|", "@id", "name", "obs", "flux", "*", ".", "..", "1", "2.5", "'x'"),
        *("stream('sky')/sky/source", "count", "avg", "=", "and", ",", "&lt;", "<!--", "(:", '"'),
        *("declare function f($x)", ";", "text()", "element", "-", "to", "order by", "at"),
    )
)
NAMES = st.sampled_from(("s", "s", "o", "x"))
STEPS = st.sampled_from(
    (
        "/name",
        "/obs",
        "/obs/flux",
        "/obs[1]",
        "//flux",
        "/@id",
        "/obs[flux > 1]",
        "/*",
        "[name]",
        "",
    )
)
ATOMS = st.one_of(
    st.builds("${}{}".format, NAMES, STEPS),
    st.sampled_from(("1", "2.5", "'x'", "()", "true()", "stream('sky')/sky/source")),
)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(("=", "<", "+", "div", "and", "or", "to", ","))
    function = st.sampled_from(("count", "avg", "sum", "string", "not", "exists", "max", "local:f"))
    return st.one_of(
        st.builds("({} {} {})".format, inner, operator, inner),
        st.builds("{}({})".format, function, inner),
        st.builds("(for ${} in {} where {} return {})".format, NAMES, inner, inner, inner),
        st.builds("(let ${} := {} return {})".format, NAMES, inner, inner),
        st.builds("(some ${} in {} satisfies {})".format, NAMES, inner, inner),
        st.builds("(if ({}) then {} else {})".format, inner, inner, inner),
        st.builds('<a b="{{ {} }}">{{ {} }}</a>'.format, inner, inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({}){}".format, inner, STEPS),
    )


BODIES = st.recursive(ATOMS, grown, max_leaves=10)
WINDOWS = st.sampled_from(("", "", "|count 2|", "|@id diff 3|"))
QUERIES = st.builds(
    "declare function local:f($x) {{ $x }}; for $s in stream('sky')/sky/source/obs{} "
    "let $o := {} where {} return {}".format,
    WINDOWS,
    BODIES,
    BODIES,
    BODIES,
)
patiently = settings(max_examples=200, suppress_health_check=list(HealthCheck))


def answer(text: str) -> str:
    """The explained query, or the message of an error that is the caller's."""
    try:
        return explain(compile_text(text, Streams()))
    except InternalError:
        raise
    except MillstreamError as error:
        return str(error)


@patiently
@given(st.lists(PIECES, max_size=20).map(" ".join) | st.text(max_size=30))
def test_any_text_is_read_or_explained(text: str) -> None:
    assert answer(text)


@patiently
@given(QUERIES)
def test_any_query_is_lowered_or_explained(text: str) -> None:
    assert answer(text)


@patiently
@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@given(modules())
def test_any_tree_is_lowered_or_explained(module: syntax.Module) -> None:
    try:
        assert lower(module, Streams()).branches
    except InternalError:
        raise
    except MillstreamError as error:
        assert error.span is not None


@patiently
@given(QUERIES)
def test_errors_point_into_the_text(text: str) -> None:
    try:
        lower(parse(text), Streams())
    except MillstreamError as error:
        assert error.span is not None and 0 <= error.span.start <= error.span.end <= len(text)
