"""Results as rows of their leaves, and as tables."""

from __future__ import annotations

from millstream.rendering.leaves import headings, leaves_of
from millstream.rendering.tables import result_table


def test_leaves_are_named_by_path() -> None:
    item = '<v n="1"><ra>120.0</ra><cel><dec> -44.5 </dec></cel></v>'
    expected = {("v", "@n"): "1", ("v", "ra"): "120.0", ("v", "cel", "dec"): "-44.5"}
    assert leaves_of(item) == expected


def test_repeated_leaves_are_joined() -> None:
    assert leaves_of("<w><en>1</en><en>2</en></w>") == {("w", "en"): "1, 2"}


def test_bare_value_is_the_item() -> None:
    assert leaves_of("1.35") == {("item",): "1.35"}
    assert leaves_of("a < b") == {("item",): "a < b"}


def test_empty_leaf_is_kept() -> None:
    assert leaves_of("<vela/>") == {("vela",): ""}


def test_headings_are_the_shortest_that_differ() -> None:
    paths = [("v", "ra"), ("v", "cel", "x"), ("v", "det", "x")]
    assert headings(paths) == ["ra", "cel/x", "det/x"]


def test_heading_of_a_path_that_ends_another() -> None:
    assert headings([("x",), ("v", "x")]) == ["x", "v/x"]


def test_table_fills_absent_leaves() -> None:
    table = result_table(["<v><a>1</a></v>", "<v><b>2</b></v>"])
    assert [str(column.header) for column in table.columns] == ["a", "b"]
    assert [list(map(str, column.cells)) for column in table.columns] == [["1", ""], ["", "2"]]


def test_texts_are_no_markup() -> None:
    table = result_table(["<v><a>[red]1[/red]</a></v>"])
    assert [list(map(str, column.cells)) for column in table.columns] == [["[red]1[/red]"]]
