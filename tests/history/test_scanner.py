"""Finding fillers in a text, in whatever pieces it comes and however broken it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.history.scanner import FillerText, scan_fillers

ONE, TWO = '<filler id="1"><a/></filler>', "<filler\nid='2'>\n<a>x</a>\n</filler >"
MESSY = f"""\
<?xml version="1.0"?>
<!-- <filler id="0"> --><!DOCTYPE fragments>
<fragments xmlns:a="b">
{ONE}
what?
<filler id="3"><a>
{TWO}
<filler id="4"/>
<filler id="5"><!-- </filler> --><![CDATA[<filler></filler>]]></filler>
</fragments>
<?xml version="1.0"?><fragments>{ONE}</fragments>
<filler id="6"><a/>"""


def scanned(text: str, *, size: int = 0, most: int = 10_000) -> list[FillerText]:
    chunks = [text[at : at + size] for at in range(0, len(text), size)] if size else [text]
    return list(scan_fillers(chunks, max_filler=most))


@pytest.mark.parametrize(
    "text",
    [
        ONE + TWO,
        f"<fragments>{ONE}\n{TWO}</fragments>",
        f"<fragments>{ONE}</fragments><fragments>{TWO}</fragments>",
        f"\ufeff<?xml version='1.0'?>{ONE}<?xml version='1.0'?><!-- next -->{TWO}",
    ],
    ids=["bare", "wrapped", "several documents", "prologs"],
)
def test_fillers_are_found(text: str) -> None:
    assert [(piece.text, piece.fault) for piece in scanned(text)] == [(ONE, ""), (TWO, "")]


def test_what_is_broken_is_told_and_the_rest_is_found() -> None:
    pieces = [(piece.line, piece.code, " ".join(piece.text.split())) for piece in scanned(MESSY)]
    assert pieces == [
        (4, "", ONE),
        (5, "stray-text", "what?"),
        (6, "malformed", '<filler id="3"><a>'),
        (7, "", "<filler id='2'> <a>x</a> </filler >"),
        (11, "", '<filler id="4"/>'),
        (12, "", '<filler id="5"><!-- </filler> --><![CDATA[<filler></filler>]]></filler>'),
        (14, "", ONE),
        (15, "malformed", '<filler id="6"><a/>'),
    ]


@given(st.integers(1, 80))
def test_chunks_make_no_difference(size: int) -> None:
    assert scanned(MESSY, size=size) == scanned(MESSY)


@given(st.text(alphabet='<>/ filer!-[]"=abCDT', max_size=60), st.integers(1, 20))
def test_any_junk_in_any_chunks_leaves_the_next_filler(junk: str, size: int) -> None:
    text = f"{junk}\n{ONE}{TWO}"
    pieces = scanned(text, size=size)
    assert pieces == scanned(text)
    assert pieces[-1].text == TWO or any(piece.fault for piece in pieces)


@pytest.mark.parametrize("size", [0, 7, 100])
def test_a_filler_that_is_too_large_is_passed_over(size: int) -> None:
    large = f'<filler id="9"><a>{"x" * 5_000}</a></filler>'
    pieces = scanned(f"{ONE}{large}{TWO}", size=size, most=1_000)
    assert [(piece.text[:15], piece.code) for piece in pieces] == [
        ('<filler id="1">', ""),
        ('<filler id="9">', "too-large"),
        (TWO[:15], ""),
    ]


@pytest.mark.parametrize("size", [0, 50])
def test_a_comment_without_end_hides_nothing(size: int) -> None:
    pieces = scanned(f'<filler id="9"><!-- a </filler>{ONE}{TWO}', size=size)
    assert [piece.text for piece in pieces] == ['<filler id="9"><!-- a </filler>', ONE, TWO]
