"""Scenarios in TOML: what can be written, and what is said about what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import SchemaError
from millstream.model.network import Link, Peer, ThinPeer
from millstream.scenarios import FileSource, PhotonSource, Scenario, Settings, read_scenario
from millstream.scenarios.scenario import DEFAULT_RATE
from millstream.sharing.network import cube, limited

STREAM = """
[[stream]]
name = "photons"
peer = "SP0"
photons = { count = 100 }
"""
MINIMAL = '[network]\ntopology = "cube"\n' + STREAM


def read(folder: Path, text: str) -> Scenario:
    path = folder / "given.toml"
    path.write_text(text, encoding="utf-8")
    return read_scenario(path)


def test_little_is_needed(tmp_path: Path) -> None:
    found = read(tmp_path, MINIMAL)
    stream = found.stream("photons")
    assert (found.name, found.network, found.queries) == ("given", cube(), ())
    assert found.settings == Settings("sharing", 0.5, 0)
    assert (stream.source, stream.rate) == (PhotonSource(100), DEFAULT_RATE)
    assert stream.order_by == "det_time" and stream.schema


def test_limits_hold_for_the_whole_shape(tmp_path: Path) -> None:
    text = '[network]\ntopology = "cube"\ncapacity = 0.1\nindex = 2\nbandwidth = 1\n' + STREAM
    expected = limited(cube(), capacity=0.1, index=2.0, bandwidth=125_000.0)
    assert read(tmp_path, text).network == expected


NETWORK = """
[network]
bandwidth = 10
index = 3
[[network.peer]]
name = "SP0"
capacity = 0.5
[[network.peer]]
name = "north"
index = 1
[[network.link]]
between = ["north", "SP0"]
bandwidth = 8
[[network.thin_peer]]
name = "telescope"
at = "north"
"""


def test_network_peer_by_peer(tmp_path: Path) -> None:
    network = read(tmp_path, NETWORK + STREAM).network
    assert network.peers == (Peer("SP0", 0.5, 3.0), Peer("north", 1.0, 1.0))
    assert network.links == (Link("north", "SP0", 1_000_000.0),)
    assert network.thin_peers == (ThinPeer("telescope", "north"),)


def test_thin_peer_stands_for_its_super_peer(tmp_path: Path) -> None:
    text = NETWORK + STREAM.replace('"SP0"', '"telescope"')
    assert read(tmp_path, text).stream("photons").peer == "north"


def test_shape_with_single_peers_and_links_changed(tmp_path: Path) -> None:
    text = """
[network]
topology = "small"
capacity = 2
[[network.peer]]
name = "SP1"
index = 4
[[network.peer]]
name = "SP4"
[[network.link]]
between = ["SP1", "SP0"]
bandwidth = 1
[[network.link]]
between = ["SP4", "SP0"]
"""
    network = read(tmp_path, text + STREAM).network
    assert network.peer("SP1") == Peer("SP1", 2.0, 4.0)
    assert network.peer("SP4") == Peer("SP4", 2.0, 1.0)
    assert network.link("SP0", "SP1").bandwidth == 125_000.0
    assert network.neighbours("SP0") == ("SP1", "SP4")
    assert len(network.links) == 5


def test_settings(tmp_path: Path) -> None:
    text = '[settings]\nstrategy = "data-shipping"\ngamma = 0.9\nseed = 7\n' + MINIMAL
    assert read(tmp_path, text).settings == Settings("data-shipping", 0.9, 7)


def test_stream_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "data.xml").write_text("<a><b><c>1</c></b></a>")
    (tmp_path / "data.dtd").write_text("<!ELEMENT a (b*)>")
    text = """
network = { topology = "cube" }
[[stream]]
name = "data"
peer = "SP0"
source = "data.xml"
schema = "data.dtd"
order_by = "c"
rate = 2.5
"""
    stream = read(tmp_path, text).stream("data")
    assert stream.source == FileSource(tmp_path / "data.xml")
    assert (stream.schema, stream.order_by, stream.rate) == ("<!ELEMENT a (b*)>", "c", 2.5)


def test_query_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "q.xq").write_text("for $p in stream('photons')/photons/photon return $p\n")
    text = MINIMAL + '[[query]]\nname = "all"\npeer = "SP3"\nfile = "q.xq"'
    query = read(tmp_path, text).query("all")
    assert query.peer == "SP3" and query.text.endswith("return $p")


def test_pool_is_numbered_on(tmp_path: Path) -> None:
    query = '[[query]]\nname = "mine"\npeer = "SP3"\ntext = "1"\n'
    pools = '[[pool]]\ncount = 2\n[[pool]]\ncount = 1\nprefix = "P"\npeers = "SP6"\n'
    found = read(tmp_path, MINIMAL + query + pools)
    assert [each.name for each in found.queries] == ["mine", "Q2", "Q3", "P4"]
    assert found.query("P4").peer == "SP6"


def test_pool_with_templates_of_its_own(tmp_path: Path) -> None:
    pool = """
[[pool]]
count = 50
[[pool.template]]
text = "%stream% %energy% %box.low%-%box.high%"
[pool.values]
energy = [1, 2.5]
box = [{ low = 0, high = 1 }, { low = 5, high = 9 }]
"""
    texts = {each.text for each in read(tmp_path, MINIMAL + pool).queries}
    assert texts == {f"photons {e} {b}" for e in ("1", "2.5") for b in ("0-1", "5-9")}


def test_some_values_of_the_photons_may_be_others(tmp_path: Path) -> None:
    pool = "[[pool]]\ncount = 60\n[pool.values]\nwindow = [{ size = 8, step = 4 }]\n"
    texts = [each.text for each in read(tmp_path, MINIMAL + pool).queries]
    windows = [each for each in texts if " diff " in each]
    assert windows and all("diff 8 step 4" in each for each in windows)


def test_seed_of_a_pool_goes_before_that_of_the_settings(tmp_path: Path) -> None:
    seeded = read(tmp_path, "[settings]\nseed = 3\n" + MINIMAL + "[[pool]]\ncount = 9\n")
    own = read(tmp_path, MINIMAL + "[[pool]]\ncount = 9\nseed = 3\n")
    other = read(tmp_path, MINIMAL + "[[pool]]\ncount = 9\n")
    assert seeded.queries == own.queries != other.queries


QUERY = '[[query]]\nname = "q"\npeer = "SP1"\ntext = "1"\n'


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a = 1\nb = = 2\n", "the file is not TOML: Invalid value", 2),
        ('naem = "x"\n' + MINIMAL, "the file has an unknown key 'naem'", 1),
        ('[network]\ntopology = "cuba"\n' + STREAM, "there is no topology 'cuba'", 2),
        ('[network]\ntopologie = "cube"\n' + STREAM, "unknown key 'topologie'", 2),
        (MINIMAL + "[[queery]]\n", "the file has an unknown key 'queery'", 8),
        ("[network]\nbandwidth = 3\n" + STREAM, "neither a topology nor peers", 1),
        (MINIMAL.replace("SP0", "SP9"), "there is no peer 'SP9'", 6),
        (MINIMAL.replace("peer =", "pear ="), "stream 'photons' has an unknown key 'pear'", 6),
        (MINIMAL + "rate = 0\n", "rate of stream 'photons' must be a number above 0", 8),
        (MINIMAL + "rate = nan\n", "must be a number above 0", 8),
        (MINIMAL + f"rate = 1{'0' * 400}\n", "must be a number above 0", 8),
        (MINIMAL + "rate = true\n", "rate of stream 'photons' must be a number", 8),
        (MINIMAL + 'source = "x.xml"\n', "needs either photons or source", 4),
        (MINIMAL + 'order_by = "en"\n', "order_by of stream 'photons' is known", 8),
        (MINIMAL.replace("count", "cuont"), "unknown key 'cuont'", 7),
        (MINIMAL.replace("100", "0"), "count of 'photons' of stream 'photons' must be at le", 7),
        (MINIMAL.replace("photons = {", 'source = "x.xml"#{'), "there is no file 'x.xml'", 7),
        (MINIMAL + STREAM, "there is another stream 'photons'", 10),
        (MINIMAL + QUERY + QUERY, "there is another query 'q'", 13),
        (MINIMAL + QUERY.replace("text", "txt"), "query 'q' has an unknown key 'txt'", 11),
        (MINIMAL + QUERY.replace("SP1", "SP8"), "there is no peer 'SP8'", 10),
        (MINIMAL + QUERY + 'file = "q"\n', "query 'q' needs either text or file", 8),
        (MINIMAL + "[query]\nx = 1\n", "query of the file must be written [[query]]", 8),
        (MINIMAL + "[settings]\ngamma = 2\n", "gamma is a weight from 0 to 1", 9),
        (MINIMAL + '[settings]\nstrategy = "share"\n', "there is no strategy 'share'", 9),
        (MINIMAL + "[[pool]]\n", "pool 'number 1' has no count", 8),
        (MINIMAL + "[[pool]]\ncount = -1\n", "must be at least 0", 9),
        (MINIMAL + '[[pool]]\ncount = 1\npeers = "SP8"\n', "there is no peer 'SP8'", 10),
        (MINIMAL + "[[pool]]\ncount = 1\npeers = []\n", "a pool of queries needs peers", 8),
        (MINIMAL + '[[pool]]\ncount = 1\n[[pool.template]]\ntext = "%en%"', "which has no va", 8),
        (MINIMAL + "[[pool]]\ncount = 1\n[pool.values]\nbox = 3\n", "must be a list", 11),
        (MINIMAL + "[[pool]]\ncount = 1\n[pool.values]\nbox = [3]\n", "does not fit", 8),
        (NETWORK + '[[network.link]]\nbetween = ["SP0"]\n' + STREAM, "needs two ends", 18),
        (NETWORK.replace('at = "north"', 'at = "nroth"') + STREAM, "no super-peer 'nroth'", 16),
        ('[network]\ntopology = "cube"\n', "the scenario has no [[stream]]", None),
    ],
)
def test_error_says_what_and_where(
    tmp_path: Path, text: str, message: str, line: int | None
) -> None:
    with pytest.raises(SchemaError) as caught:
        read(tmp_path, text)
    assert message in caught.value.message
    assert caught.value.message.startswith("in given.toml: ")
    assert caught.value.to_json().get("line") == line


def test_error_as_it_is_shown(tmp_path: Path) -> None:
    with pytest.raises(SchemaError) as caught:
        read(tmp_path, MINIMAL.replace("peer =", "pear ="))
    *shown, help = str(caught.value).splitlines()
    assert shown == [
        "schema error: in given.toml: stream 'photons' has an unknown key 'pear'",
        '  6 | pear = "SP0"',
        "    | ^^^^",
    ]
    assert help.startswith("help: did you mean 'peer'? known: item, name, order_by, peer")


def test_place_is_not_confused_by_query_texts(tmp_path: Path) -> None:
    query = "[[query]]\nname = 'a'\npeer = 'SP0'\ntext = '''\n[[query]]\n[x >= 1]\n'''\n"
    with pytest.raises(SchemaError) as caught:
        read(tmp_path, MINIMAL + query + "[[pool]]\ncount = 1\ncuont = 2\n")
    assert caught.value.to_json()["line"] == 17


def test_drawn_name_that_is_taken_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="there is another query 'Q2'"):
        read(tmp_path, MINIMAL + QUERY.replace('"q"', '"Q2"') + "[[pool]]\ncount = 2\n")


def test_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "given.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(SchemaError, match="not UTF-8"):
        read_scenario(path)


def test_byte_order_mark_and_carriage_returns_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "given.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINIMAL.replace("\n", "\r\n").encode())
    assert len(read_scenario(path).streams) == 1
    path.write_bytes(path.read_bytes().replace(b"SP0", b"SPO"))
    with pytest.raises(SchemaError) as caught:
        read_scenario(path)
    assert caught.value.to_json()["line"] == 6
