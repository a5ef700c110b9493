"""What is wrong with a statement, where, and what to do about it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.errors import MillstreamError, QueryError
from millstream.languages.tagql import parse, parse_checked
from tests.languages.tagql.examples import CATALOG, EXAMPLES

PIECES = st.sampled_from(
    (
        *("ATTACH TAG", "SELECT", "SELECT TAGS", "TAGGED OBJECTS", "FROM", "WHERE", "WITH", "TO"),
        *("TAGS", "TAG", "TAG(A)", "TAG_SIGN", "OBJECT", "GROUP BY", "USING", "JACCARD", "AS"),
        *("Patients", "Patients A [1 min]", "pid", "A.pid", "loc.value", "'x'", "‘", "1", "min"),
        *("(", ")", "[", "]", ",", ".", "=", "<", "-", "+", "*", "AND", "OR", "NOT", "IN", "LIKE"),
        *("WITHIN SQUARE(0,0,1)", "EQUIVALENT TO", "SIMILAR TO", "COOCCURS WITH", "/*", "--", ";"),
    )
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_fit_their_streams(name: str) -> None:
    assert parse_checked(EXAMPLES[name], CATALOG)


@pytest.mark.parametrize(
    ("text", "message", "marked", "help"),
    [
        ("", "expected ATTACH or SELECT, found the end", "", "begins with"),
        ("SELECT TAGS FORM S", "expected 'FROM', found 'FORM'", "FORM", "did you mean 'FROM'"),
        ("ATTACH TAG x TO S", "expected the content", "x", "single quotes"),
        ("ATTACH TAG 'x' TO S WITH TAG_SING = '+'", "expected an option", "TAG_SING", "TAG_SIGN"),
        ("ATTACH TAG 'x' TO S WITH TAGTYPE = 'junk'", "expected an option", "TAGTYPE", "known"),
        ("ATTACH TAG 'x' TO S WITH TAG_SIGN = '?'", "not a sign", "'?'", None),
        ("ATTACH TAG 'x' TO S WITH TAG_MODE = OVERWRIT", "not a mode", "OVERWRIT", None),
        ("ATTACH TAG 'x' TO S WITH TAG_LIFESPAN = 1 mim", "no unit of time", "1 mim", None),
        ("ATTACH TAG 'x' TO S WITH TAG_LIFESPAN = -1 min", "expected a duration", "-", "1 min"),
        ("ATTACH TAG 'x' TO S WITH TAG_LIFESPAN = 0 s", "longer than 0", "0 s", "INSTANT"),
        (
            "ATTACH TAG 'x' TO S WITH TAG_SIGN = '+' TAGSIGN = '-'",
            "TAG_SIGN is given twice",
            "TAGSIGN",
            None,
        ),
        ("ATTACH TAG ' ' TO S", "a tag has a content", "' '", "OVERWRITE"),
        ("ATTACH TAG ONE OF ('a', '') TO S", "a tag has a content", "ONE OF ('a', '')", None),
        ("SELECT a FROM S WHERE b", "expected a condition", "b", "compare it"),
        ("SELECT a = 1 FROM S", "expected 'FROM', found '='", "=", None),
        ("SELECT (a = 1) FROM S", "found a condition", "(a = 1)", None),
        ("SELECT a FROM S WHERE (b = 1) + 1 = 2", "found a condition", "(b = 1)", None),
        ("SELECT from FROM S", "expected a value, found 'from'", "from", 'write "from"'),
        ("SELECT a FROM S WHERE Dits(a, b) < 1", "no function 'Dits'", "Dits", "DIST"),
        ("SELECT a FROM S WHERE Dist(a) < 1", "takes 2 arguments, not 1", "Dist(a)", None),
        ("SELECT a FROM S [1 min", "expected ']'", "", None),
        ("SELECT a FROM S [0 s]", "a window is longer", "[0 s]", None),
        ("SELECT a FROM S WHERE a WITHIN SQARE(1)", "expected a region", "SQARE", "SQUARE"),
        ("SELECT a FROM S WHERE a WITHIN CIRCLE(1,2)", "takes 3 numbers", "CIRCLE(1,2)", "radius"),
        ("SELECT a FROM S WHERE TAG_TYPE = 'objektive'", "not a type", "'objektive'", None),
        ("SELECT a FROM S WHERE TAG_SIGN IN ('x')", "not a sign", "'x'", None),
        ("SELECT a FROM S GROUP BY TAGS USING EQUALTY", "a likeness", "EQUALTY", "EQUALITY"),
        ("SELECT TAGS FROM S WITH TAGS", "expected the end", "WITH", "already"),
        ("SELECT a FROM S WHERE a = 'x", "never closed", "'", "close it"),
        ("SELECT a FROM S /* x", "comment is never closed", "/*", "close it"),
        ("SELECT a FROM S WHERE a = ?", "'?' has no meaning", "?", None),
        ("SELECT a FROM S WHERE (a = 1", "expected ')'", "", "still open"),
        ("SELECT a FROM S b c", "expected the end", "c", None),
        ("SELECT a FROM S WHERE a = 1e999", "too large", "1e999", None),
    ],
)
def test_bad_text_is_explained(text: str, message: str, marked: str, help: str | None) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    error = caught.value
    assert message in error.message
    assert error.span is not None and text[error.span.start : error.span.end] == marked
    assert help is None or help in (error.help or "")


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("SELECT TAGS FROM Patient", "there is no stream 'Patient'", "Patients"),
        ("ATTACH TAG 'x' TO Patints", "there is no stream 'Patints'", "Patients"),
        ("ATTACH TAG 'x' TO Patients.lock", "has no attribute 'lock'", "loc"),
        ("SELECT pit FROM Patients", "there is no attribute 'pit'", "pid"),
        ("SELECT TAGS FROM Patients WHERE TAGSIN = '-'", "no attribute 'TAGSIN'", "TAG_SIGN"),
        ("SELECT Patients.pit FROM Patients", "'Patients' has no attribute 'pit'", "pid"),
        ("SELECT TAGS FROM Patients WHERE OBJECT = Patients.x", "no attribute 'x'", "known"),
        ("SELECT TAGS FROM Patients WHERE OBJECT = P.loc", "goes by the name 'P'", "Patients"),
        ("SELECT TAGS FROM Patients WHERE TAG(B) = 'x'", "goes by the name 'B'", None),
        (
            "SELECT pid FROM Patients [1 min], Animals [1 min]",
            "an attribute of Patients and Animals",
            "Patients.pid",
        ),
        (
            "SELECT TAGGED OBJECTS FROM Patients A [1 min], Animals B [1 min] WHERE TAG = 'x'",
            "could be of a tag of A or B",
            "TAG(A)",
        ),
        ("SELECT A.pid FROM Patients A, Animals B [1 min]", "'A' has no window", "A [1 min]"),
        (
            "SELECT * FROM Patients [1 min], Patients [1 min]",
            "two streams go by the name",
            "AS",
        ),
        ("SELECT TAG FROM Patients", "a tag is no column", "GROUP BY TAGS"),
        ("SELECT pid, COUNT(*) FROM Patients", "neither an aggregate", None),
        ("SELECT *, COUNT(*) FROM Patients GROUP BY pid", "neither an aggregate", None),
        ("SELECT SUM(COUNT(*)) FROM Patients", "an aggregate of an aggregate", None),
        ("SELECT 1 + COUNT(*) FROM Patients", "neither an aggregate", None),
        ("SELECT pid FROM Patients WHERE COUNT(*) > 1", "has no aggregates", None),
        (
            "SELECT TAG, COUNT(TAG) FROM Patients GROUP BY TAGS",
            "aggregates are of attributes",
            None,
        ),
        ("SELECT TAG FROM Patients GROUP BY TAGS USING JACCARD 2", "a share is", None),
        ("SELECT TAGS FROM Patients WHERE pid EQUIVALENT TO 'x'", "only tags and texts", None),
        (
            "ATTACH TAG 'x' TO Patients WHERE (SELECT pid FROM Animals)",
            "of another stream",
            None,
        ),
        (
            "ATTACH TAG 'x' TO Patients WHERE (SELECT COUNT(*) FROM Patients GROUP BY pid)",
            "only selects tuples",
            None,
        ),
        ("SELECT TAGS FROM Patients, Animals", "of several streams is not supported", None),
        (
            "SELECT * FROM Patients A [1 s], Patients B [1 s], Patients C [1 s]",
            "more than two streams",
            None,
        ),
        (
            "SELECT COUNT(*) FROM Patients A [1 s], Animals B [1 s]",
            "aggregates of joins",
            None,
        ),
    ],
)
def test_statement_without_sense_is_explained(text: str, message: str, help: str | None) -> None:
    with pytest.raises(MillstreamError) as caught:
        parse_checked(text, CATALOG)
    assert message in caught.value.message
    assert caught.value.span is not None and caught.value.text == text
    assert help is None or help in (caught.value.help or "")


def test_error_shows_the_place() -> None:
    with pytest.raises(QueryError) as caught:
        parse_checked("SELECT pid\nFROM Patients\nWHERE mesure > 80", CATALOG)
    assert str(caught.value).splitlines()[1:3] == ["  3 | WHERE mesure > 80", "    |       ^^^^^^"]


@pytest.mark.parametrize("opening", ["(", "NOT ", "- ", "ABS("])
def test_deep_nesting_is_refused(opening: str) -> None:
    with pytest.raises(QueryError, match="nested too deep"):
        parse("SELECT a FROM S WHERE " + opening * 5_000 + "a")


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES, max_size=15).map(" ".join) | st.text(max_size=30))
def test_any_text_is_read_or_explained(text: str) -> None:
    try:
        parse_checked(text, CATALOG)
    except MillstreamError as error:
        assert error.span is not None
        assert 0 <= error.span.start <= error.span.end <= len(text)
        assert str(error)
