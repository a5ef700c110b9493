"""Whatever is written in a wire format is read again."""

from __future__ import annotations

from hypothesis import given, settings

from millstream.model.tags import Element, Placed, StreamShape, TimeForm
from millstream.model.tags.wire import (
    WireOptions,
    read_json_lines,
    read_xml,
    write_json_lines,
    write_xml,
)
from tests.model.tags.samples import PATIENTS, elements

OPTIONS = WireOptions(PATIENTS)
BY_INSTANT = WireOptions(
    StreamShape(PATIENTS.name, PATIENTS.attributes, TimeForm.INSTANT), item="reading"
)


def placed(given_elements: list[Element]) -> list[Placed]:
    return [Placed(position, element) for position, element in enumerate(given_elements)]


@given(elements())
def test_json_lines_are_read_again(written: list[Element]) -> None:
    lines = list(write_json_lines(written, OPTIONS))
    assert list(read_json_lines(lines, OPTIONS)) == placed(written)
    assert not any("\n" in line for line in lines)


@given(elements())
def test_xml_is_read_again(written: list[Element]) -> None:
    text = "<stream>\n" + "\n".join(write_xml(written, OPTIONS)) + "\n</stream>"
    assert list(read_xml(text, OPTIONS)) == placed(written)


@settings(max_examples=30)
@given(elements())
def test_instants_and_other_names_are_read_again(written: list[Element]) -> None:
    text = "<readings>" + "".join(write_xml(written, BY_INSTANT)) + "</readings>"
    assert list(read_xml(text, BY_INSTANT)) == placed(written)
    lines = write_json_lines(written, BY_INSTANT)
    assert list(read_json_lines(lines, BY_INSTANT)) == placed(written)
