"""JSON laid out anew, one item a line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.runtime.intake.json_layout import LineLayout, layout_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    members=st.lists(VALUES, max_size=6),
    indent=st.sampled_from([None, 0, 3]),
    block=st.integers(1, 40),
)
def test_members_stay_whatever_the_blocks(
    members: list[object], indent: int | None, block: int
) -> None:
    text = json.dumps(members, indent=indent, ensure_ascii=False).encode(errors="replace")
    layout = LineLayout(outer=1)
    blocks = [text[at : at + block] for at in range(0, len(text), block)]
    lines = b"".join(layout.laid_out(each) for each in blocks).split(b"\n")
    found = [json.loads(line) for line in lines if line.strip()]
    assert found == json.loads(text)


@pytest.mark.parametrize(
    ("head", "outer"),
    [
        (b' [\n {"n": 1}', 1),
        (b'{\n "n": 1', 0),
        (b'{"n": {\n', 0),
        (b'{"n": 1}\n{', None),
        (b'{"n": oops}\n', None),
        (b'{"n": 1, ', None),
        (b"oops\n", None),
    ],
)
def test_another_layout_is_known_by_its_head(head: bytes, outer: int | None) -> None:
    layout = layout_of(head)
    assert (None if layout is None else layout._outer) == outer
