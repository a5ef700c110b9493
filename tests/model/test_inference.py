"""Schemas and types from samples."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from millstream.errors import SchemaError
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.model.dtd import read_dtd
from millstream.model.inference import Inference, infer, typed
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType


def infer_xml(*documents: str, item: str | None = None) -> Inference:
    return infer([etree.fromstring(each) for each in documents], stream="s", item=item)


def inferred_type(*values: str) -> ValueType:
    return infer([{"v": value} for value in values], stream="s").schema.item.children[0].type


def photons(count: int) -> etree._Element:
    return etree.fromstring(f"<photons>{''.join(generate(count))}</photons>")


def test_the_most_frequent_child_of_the_root_is_the_item() -> None:
    schema = infer_xml("<r><head>x</head><i>1</i><i>2</i></r>").schema
    assert schema == Schema("r", Element("i", type=ValueType.INTEGER))


@pytest.mark.parametrize("document", ["<i>5</i>", "<i k='5'/>", "<i><a>5</a><b>5</b></i>"])
def test_a_root_without_repeated_children_is_the_item(document: str) -> None:
    schema = infer_xml(document).schema
    assert (schema.root, schema.item.name) == ("i", "i")


def test_documents_of_one_item_each_share_the_item() -> None:
    schema = infer_xml("<r><i><a>1</a></i></r>", "<r><i><a>2</a></i></r>").schema
    assert (schema.root, schema.item.name) == ("r", "i")


def test_elements_of_a_document_are_items_themselves() -> None:
    document = etree.fromstring("<r><i><n>1</n><n>2</n></i><i><n>3</n></i></r>")
    schema = infer(list(document), stream="s").schema
    assert (schema.root, schema.item.name) == ("r", "i")


def test_a_named_item_is_found_at_any_depth() -> None:
    schema = infer_xml("<r><part><i>1</i></part><part><i>2</i></part></r>", item="i").schema
    assert schema == Schema("r", Element("i", type=ValueType.INTEGER))


def test_a_named_item_that_comes_alone_gets_the_stream_as_root() -> None:
    assert infer_xml("<i><n>1</n><n>2</n></i>", item="i").schema.root == "s"


def test_a_named_item_that_is_a_document_is_its_own_root() -> None:
    tree = etree.ElementTree(etree.fromstring("<i><n>1</n><n>2</n></i>"))
    assert infer([tree], stream="s", item="i").schema.root == "i"


def test_an_unknown_item_is_refused_with_the_names_seen() -> None:
    with pytest.raises(SchemaError, match="no element foton") as caught:
        infer_xml("<r><photon/></r>", item="foton")
    assert caught.value.help == "did you mean 'photon'? known: photon, r"


def test_occurrence_is_what_was_seen() -> None:
    schema = infer_xml("<r><i><a/><b/><c/><c/></i><i><a/><c/></i></r>").schema
    assert [child.occurs for child in schema.item.children] == [
        Occurs.ONE,
        Occurs.OPTIONAL,
        Occurs.MANY,
    ]


def test_children_are_ordered_as_in_all_items() -> None:
    schema = infer_xml("<r><i><a/><c/></i><i><b/><c/></i><i><a/><b/></i></r>").schema
    assert [child.name for child in schema.item.children] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<d>see <b>this</b></d>", "text stands beside elements"),
        ("<d>text</d></i><i><d><b/></d>", "text stands beside elements"),
        ("<d><a/><b/><a/></d>", "a and b stand in either order"),
        ("<d><a/><b/></d></i><i><d><b/><a/></d>", "a and b stand in either order"),
        ("<d><e><d/></e></d>", "it contains another d"),
    ],
)
def test_what_cannot_be_columns_stays_text(content: str, reason: str) -> None:
    inference = infer_xml(f"<r><i>{content}</i><i/></r>")
    assert inference.schema.item.child("d") == Element("d", Occurs.OPTIONAL, Content.RAW)
    assert f"i/d: kept as XML text ({reason})" in inference.notes


def test_attributes_are_required_if_never_absent() -> None:
    item = infer_xml("<r><i a='1' b='x'/><i a='2'/></r>").schema.item
    assert item.attributes == (Attribute("a", ValueType.INTEGER, True), Attribute("b"))


def test_comments_are_not_content() -> None:
    schema = infer_xml("<r><i>1<!-- one -->2</i><?go on?><i>3</i></r>").schema
    assert schema.item == Element("i", type=ValueType.INTEGER)


def test_names_keep_their_prefix() -> None:
    schema = infer_xml("<p:r xmlns:p='u'><p:i p:k='1' xml:lang='en'/><p:i p:k='1'/></p:r>").schema
    names = [attribute.name for attribute in schema.item.attributes]
    assert (schema.root, schema.item.name, names) == ("p:r", "p:i", ["p:k", "xml:lang"])


def test_objects_become_items() -> None:
    rows = [
        {"a": 1, "b": {"c": [1.5, 2]}, "d": None, "e": True},
        {"a": Decimal("2"), "b": {"c": []}, "d": "x", "e": False},
    ]
    children = (
        Element("a", type=ValueType.INTEGER),
        Element(
            "b",
            content=Content.NESTED,
            children=(Element("c", Occurs.MANY, type=ValueType.DECIMAL),),
        ),
        Element("d", Occurs.OPTIONAL),
        Element("e"),
    )
    expected = Schema("s", Element("item", content=Content.NESTED, children=children))
    assert infer(rows, stream="s").schema == expected


def test_an_array_of_one_may_hold_more() -> None:
    assert infer([{"a": [1]}], stream="s").schema.item.children[0].occurs is Occurs.MANY


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no sample"),
        ([{"a": [[1]]}], "item/a: an array of arrays"),
        ([{"a": 1}, {"a": {"b": 1}}], "item/a is an object in some items"),
        ([{"a b": 1}], "'a b' cannot be the name"),
        ([{None: ["extra"]}], "None cannot be the name"),
        ([{"a": 1}, etree.Element("a")], "mixes XML elements and objects"),
    ],
)
def test_samples_without_a_shape_are_refused(rows: list[object], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        infer(rows, stream="s")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("1", "-2"), ValueType.INTEGER),
        (("1", "2.50"), ValueType.DECIMAL),
        (("1", "2.5", "1e9"), ValueType.DOUBLE),
        (("1", "NaN"), ValueType.DOUBLE),
        (("2003-10-23", "2003-10-23T01:00:00Z"), ValueType.TIME),
        (("2003-10-23", "5"), ValueType.TEXT),
        (("1", "", " "), ValueType.INTEGER),
        (("", ""), ValueType.TEXT),
        (("1", "007"), ValueType.TEXT),
    ],
)
def test_all_values_decide_the_type(values: tuple[str, ...], expected: ValueType) -> None:
    assert inferred_type(*values) is expected


@given(st.lists(st.decimals(-(10**19), 10**19, places=3).map("{:f}".format), min_size=1))
def test_plain_decimals_are_inferred(values: list[str]) -> None:
    assert inferred_type(*values) is ValueType.DECIMAL


@given(st.permutations(["1", "2.5", "", "1e3", "x"]))
def test_the_order_of_values_does_not_matter(values: list[str]) -> None:
    assert inferred_type(*values) is ValueType.TEXT


def test_a_tolerated_share_of_strangers_does_not_decide() -> None:
    rows = [{"v": "1.5"}] * 99 + [{"v": "n/a"}]
    inference = infer(rows, stream="s", tolerance=0.01)
    assert inference.notes[-1] == "item/v: decimal (100 values, e.g. 1.5, but also n/a)"


def test_a_sample_gives_types_to_a_dtd() -> None:
    inference = typed(read_dtd(PHOTONS_DTD), [photons(1_000)])
    types = {"/".join(leaf.path): leaf.type.value for leaf in inference.schema.leaves()}
    assert types == {
        "coord/cel/ra": "decimal",
        "coord/cel/dec": "decimal",
        "coord/det/dx": "integer",
        "coord/det/dy": "integer",
        "phc": "integer",
        "en": "decimal",
        "det_time": "integer",
    }


def test_types_that_are_set_stay() -> None:
    schema = read_dtd(PHOTONS_DTD).with_types({("en",): ValueType.DOUBLE})
    leaf = typed(schema, list(photons(5))).schema.leaf(("en",))
    assert leaf and leaf.type is ValueType.DOUBLE


def test_inferring_photons_gives_the_schema_of_their_dtd() -> None:
    by_dtd = typed(read_dtd(PHOTONS_DTD), [photons(100)]).schema
    assert infer([photons(100)], stream="photons").schema == by_dtd


@pytest.mark.parametrize(
    "note",
    [
        "i: the items (2 seen, below r)",
        "i/n: optional (absent in 1 of 2)",
        "i/m: repeated (at most 2 together)",
        "i/en: decimal (2 values, e.g. 1.302)",
        "i/n: text (1 value, e.g. 007; "
        "leading zeros, plus signs and long numbers are text unless you say otherwise)",
        "i/x: text (2 values, e.g. 7, but also y)",
        "i/m: text (no values seen)",
    ],
)
def test_notes_tell_what_was_inferred(note: str) -> None:
    inference = infer_xml(
        "<r><i><en>1.302</en><n>007</n><x>7</x></i><i><en>5</en><m/><m/><x>y</x></i></r>"
    )
    assert note in inference.notes
