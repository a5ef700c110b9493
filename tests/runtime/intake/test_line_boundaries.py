"""Where lines and records are cut."""

from __future__ import annotations

import re

import pytest

from millstream.runtime.intake.boundaries import Cut
from millstream.runtime.intake.line_boundaries import LineBoundaries, RecordBoundaries, header_end


@pytest.mark.parametrize(
    ("window", "limit", "final", "expected"),
    [
        (b"1\n2\n3", None, False, Cut(4)),
        (b"1\n2\n3", None, True, Cut(5)),
        (b"123", None, False, Cut(0)),
        (b"1\n\n2\n3\n", 2, False, Cut(5, 2)),
        (b"1\n2", 2, True, Cut(3, 2)),
        (b"1\n2", 1, True, Cut(2, 1)),
        (b" ", None, True, Cut(0)),
    ],
)
def test_lines(window: bytes, limit: int | None, final: bool, expected: Cut) -> None:
    assert LineBoundaries().cut(window, limit, final) == expected


@pytest.mark.parametrize(
    ("window", "limit", "final", "expected"),
    [
        (b'1,"a\nb"\n2,"c\n', None, False, Cut(8)),
        (b'1,"a\nb"\n2,"c\nd"\n', None, False, Cut(16)),
        (b'1,"a""\nb"\n', None, False, Cut(10)),
        (b'1,"a\nb"\n2,"c\nd"\n', 1, False, Cut(8, 1)),
        (b'1,"a\nb\n', None, True, Cut(0)),
        (b"1,a", None, True, Cut(3)),
        (b'"\n\n\n', None, False, Cut(0)),
    ],
)
def test_records(window: bytes, limit: int | None, final: bool, expected: Cut) -> None:
    assert RecordBoundaries().cut(window, limit, final) == expected


@pytest.mark.parametrize(
    ("window", "final", "expected"),
    [
        (b"1\n# 2\n2\n# 3\n# 3\n3", False, Cut(8)),
        (b"1\n# 2\n2\n# 3\n# 3\n3", True, Cut(17)),
        (b"# 1\n# 1\n1", False, Cut(8)),
        (b"1\n", False, Cut(2)),
        (b"# 1", False, Cut(0)),
    ],
)
def test_lines_about_the_next_item_are_not_cut_off_from_it(
    window: bytes, final: bool, expected: Cut
) -> None:
    assert LineBoundaries(re.compile(rb"#")).cut(window, None, final) == expected


def test_header_may_hold_a_line_end_in_quotes() -> None:
    assert header_end(b'n,"no\nte"\n1,2\n') == 10
    assert header_end(b"n,note") == 0


def test_reading_goes_on_in_the_next_line() -> None:
    assert LineBoundaries().resume(b"junk\n2\n", desperate=False) == (5, True)
    assert LineBoundaries().resume(b"junk", desperate=False) == (4, False)
