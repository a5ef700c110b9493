"""Where statements end."""

from __future__ import annotations

import pytest

from millstream.shell.statements import finished, statements, unfinished

LOOP = 'for $r in stream("readings")/readings/reading'


@pytest.mark.parametrize(
    "text",
    [
        "\n",
        "\\streams\n",
        "\\results high 5\n",
        "\\explain\n",
        f"{LOOP} return $r;\n",
        f"{LOOP} return $r\n\n",
        f"{LOOP}\nreturn $r;\n",
        "SELECT * FROM readings;\n",
        "SELECT *\nFROM readings\n\n",
        f"\\explain {LOOP} return $r\n",
        f"\\subscribe high {LOOP}\nreturn $r;\n",
        "declare variable $l := 2;\nstream('readings')/readings/reading[level > $l];\n",
    ],
)
def test_is_run(text: str) -> None:
    assert finished(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{LOOP}\n",
        f"{LOOP} return $r\n",
        f"{LOOP}\n\n",
        "<high>\n\n",
        "SELECT * FROM readings\n",
        f"\\explain {LOOP}\n",
        "declare variable $l := 2;\n",
        'stream("readings\n\n',
    ],
)
def test_goes_on(text: str) -> None:
    assert not finished(text)


def test_what_is_lacking_is_told() -> None:
    assert unfinished(LOOP) == "expected 'return', found the end of the query"
    assert unfinished("<high> { 1 }") == "element <high> is never closed"
    assert unfinished("1 +* 2") is None


def test_script_is_cut_into_statements() -> None:
    script = f"\\streams\n\n{LOOP}\n\nreturn $r;\nSELECT * FROM readings\n"
    found = [each.strip() for each in statements(script.splitlines(keepends=True))]
    assert found == ["\\streams", f"{LOOP}\n\nreturn $r;", "SELECT * FROM readings"]
