"""Scenarios in XML: what is read, and what is said about what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import SchemaError
from millstream.generators.photons import PHOTONS_DTD
from millstream.scenarios import FileSource, PhotonSource, Scenario, read_scenario
from millstream.scenarios.scenario import DEFAULT_RATE

GIVEN = """\
<?xml version="1.0" encoding="UTF-8"?>
<scenario name="given" xmlns="http://www.in.tum.de/projects/StreamGlobe/scenario">
  <graph>
    <vertex vid="7" label="a" />
    <vertex vid="10" />
    <vertex vid="0" />
    <edge source="10" target="7" />
  </graph>
  <streams>
    <stream sid="photons" type="file">
      <dtd filename="etc/photons.dtd" />
      <param name="stream.filename">
        data.xml
      </param>
      <param name="stream.server.port">4711</param>
      <param name="stream.sleep.time">
        250
      </param>
    </stream>
  </streams>
  <queries>
    <query qid="a"><![CDATA[
      for $p in stream("photons")/photons/photon return $p/det-time
    ]]></query>
    <query qid="b"><![CDATA[
      for $w in stream("photons")/photons/photon|det_time diff 4 step 2| return max($w/en)
    ]]></query>
  </queries>
  <injectorMapping><mapping peer="10" stream="photons" /></injectorMapping>
  <queryMapping>
    <mapping peer="7" query="b" />
    <mapping peer="0" query="a" />
  </queryMapping>
</scenario>
"""


def read(folder: Path, text: str = GIVEN) -> Scenario:
    (folder / "etc").mkdir(exist_ok=True)
    (folder / "etc" / "photons.dtd").write_text(PHOTONS_DTD)
    (folder / "data.xml").write_text("<photons/>")
    path = folder / "given.xml"
    path.write_text(text, encoding="utf-8")
    return read_scenario(path)


def test_network_is_numbered_by_vertices(tmp_path: Path) -> None:
    network = read(tmp_path).network
    assert [each.name for each in network.peers] == ["SP0", "SP7", "SP10"]
    assert network.neighbours("SP10") == ("SP7",)


def test_stream(tmp_path: Path) -> None:
    stream = read(tmp_path).stream("photons")
    assert (stream.peer, stream.source) == ("SP10", FileSource(tmp_path / "data.xml"))
    assert (stream.schema, stream.rate) == (PHOTONS_DTD, 4.0)


def test_windows_tell_the_order(tmp_path: Path) -> None:
    assert read(tmp_path).stream("photons").order_by == "det_time"
    without = GIVEN.replace("|det_time diff 4 step 2|", "|count 4 step 2|")
    assert read(tmp_path, without).stream("photons").order_by is None


def test_order_may_be_said(tmp_path: Path) -> None:
    text = GIVEN.replace("stream.server.port", "stream.order").replace("4711", "phc")
    assert read(tmp_path, text).stream("photons").order_by == "phc"


def test_queries_in_order_of_the_file(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [(each.name, each.peer) for each in found.queries] == [("a", "SP0"), ("b", "SP7")]
    assert found.query("a").text.endswith("return $p/det_time")
    assert found.notes == ("query a: det-time is read as det_time, which the schema has",)


def test_without_a_pause_the_rate_is_the_usual_one(tmp_path: Path) -> None:
    text = GIVEN.replace('<param name="stream.server.port">4711</param>', "")
    text = text.replace('<param name="stream.sleep.time">\n        250\n      </param>', "")
    assert read(tmp_path, text).stream("photons").rate == DEFAULT_RATE


def test_namespace_may_be_left_out(tmp_path: Path) -> None:
    text = GIVEN.replace(' xmlns="http://www.in.tum.de/projects/StreamGlobe/scenario"', "")
    assert read(tmp_path, text) == read(tmp_path)


def test_made_up_photons(tmp_path: Path) -> None:
    start, rest = GIVEN.split('type="file">')
    stream = '<param name="stream.count">50</param><param name="stream.seed">3</param>'
    text = start + 'type="photons">' + stream + "</stream>" + rest.split("</stream>", 1)[1]
    found = read(tmp_path, text).stream("photons")
    assert (found.source, found.order_by) == (PhotonSource(50, 3), "det_time")
    assert found.schema == PHOTONS_DTD


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("</graph>", "</graf>", "not well-formed XML", 8),
        ("<scenario name", "<scenarios name", "not well-formed XML", None),
        ('scenario">', 'scenery">', "the root is <scenario>", 2),
        ('<vertex vid="0" />', '<vertx vid="0" />', "<vertx> has no place in <graph>", 6),
        ('vid="10"', 'vid="7"', "there is another vertex 7", 5),
        ('vid="10"', 'vid="x"', "the vid of a vertex is a whole number", 5),
        ('vid="10"', 'id="10"', "<vertex> has no vid", 5),
        ('target="7"', 'target="8"', "there is no vertex 8", 7),
        ('target="7"', 'target="10"', "in vain", 7),
        ('type="file"', 'type="fiel"', "there is no kind of stream 'fiel'", 10),
        ("etc/photons", "etc/fotons", "there is no file 'etc/fotons.dtd'", 11),
        ("etc/photons.dtd", "data.xml", "its schema is not usable", 11),
        ("stream.server.port", "stream.port", "there is no parameter 'stream.port'", 15),
        ("        250", "        fast", "stream.sleep.time is a number of milliseconds", 16),
        ("        250", "        0", "stream.sleep.time is a number of milliseconds", 16),
        ("data.xml", "nowhere.xml", "there is no file 'nowhere.xml'", 12),
        ('qid="b"', 'qid="a"', "there is another query 'a'", 25),
        ('peer="7" query="b"', 'peer="7" query="c"', "query 'b' is mapped to no peer", 25),
        ('peer="7" query="b"', 'peer="7" query="a"', "query 'a' is mapped twice", 32),
        ('peer="7" query="b"', 'peer="9" query="b"', "there is no vertex 9", 31),
        ('peer="7" query="b" />', 'peer="7" query="b" /><mapping peer="0" query="z" />', "'z'", 31),
        ("<streams>", "<streams/><streams>", "<scenario> has more than one <streams>", 2),
        ("<graph>", "<graph/><garph>", "", None),
    ],
)
def test_error_says_what_and_where(
    tmp_path: Path, old: str, new: str, message: str, line: int | None
) -> None:
    assert old in GIVEN
    with pytest.raises(SchemaError) as caught:
        read(tmp_path, GIVEN.replace(old, new, 1))
    assert message in caught.value.message
    assert caught.value.message.startswith("in given.xml: ")
    assert line is None or caught.value.to_json().get("line") == line


def test_error_as_it_is_shown(tmp_path: Path) -> None:
    with pytest.raises(SchemaError) as caught:
        read(tmp_path, GIVEN.replace('target="7"', 'target="8"'))
    assert str(caught.value).splitlines() == [
        "schema error: in given.xml: there is no vertex 8",
        '  7 |     <edge source="10" target="8" />',
        "    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "help: known: 0, 10, 7",
    ]


def test_entities_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    doctype = f'<!DOCTYPE scenario [<!ENTITY x SYSTEM "{secret}">]>\n<scenario name'
    text = GIVEN.replace("<scenario name", doctype, 1).replace("return $p/det-time", "&x;")
    text = text.replace("<![CDATA[", "").replace("]]>", "")
    with pytest.raises(SchemaError, match="holds more than text"):
        read(tmp_path, text)


def test_query_with_markup_stands_in_a_character_section(tmp_path: Path) -> None:
    text = GIVEN.replace("<![CDATA[", "<photons>").replace("]]>", "</photons>")
    with pytest.raises(SchemaError, match="<query> holds more than text") as caught:
        read(tmp_path, text)
    assert caught.value.help == "write <![CDATA[ … ]]>"
