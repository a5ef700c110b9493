"""millstream match."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from lxml import etree

from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.generators.photons import PHOTONS_DTD
from tests.cli.conftest import Call

QUERIES = {"vela": VELA, "rxj": RXJ, "average_20": AVERAGE_20, "average_60": AVERAGE_60}
SHAREABLE = {
    ("rxj", "vela"),
    ("average_20", "vela"),
    ("average_60", "vela"),
    ("average_60", "average_20"),
}
SCHEMA = ("--schema", "photons=photons.dtd")
PHOTON = 'stream("photons")/photons/photon'


@pytest.fixture(autouse=True)
def queries(folder: Path) -> None:
    (folder / "photons.dtd").write_text(PHOTONS_DTD)
    for name, text in QUERIES.items():
        (folder / f"{name}.xq").write_text(text)


@pytest.mark.parametrize(("new", "old"), list(permutations(QUERIES, 2)))
def test_pairs_of_queries_as_json(call: Call, new: str, old: str) -> None:
    outcome = call("match", QUERIES[new], f"@{old}.xq", *SCHEMA, "--json")
    facts = json.loads(outcome.stdout)
    assert outcome.status == 0
    assert facts["reusable"] is ((new, old) in SHAREABLE)
    assert facts["reasons"] and all(isinstance(each, str) for each in facts["reasons"])


@pytest.mark.parametrize("name", QUERIES)
def test_identical_queries(call: Call, name: str) -> None:
    outcome = call("match", f"@{name}.xq", QUERIES[name], *SCHEMA, "--json")
    assert json.loads(outcome.stdout)["reusable"] is True


def test_yes_for_people(call: Call) -> None:
    outcome = call("match", "@average_60.xq", "@average_20.xq", *SCHEMA)
    lines = outcome.stdout.splitlines()
    assert lines[0] == "yes: the result can be reused"
    assert (
        "  ✓ window: every window of |det_time diff 60 step 40| "
        "is made of 3 of |det_time diff 20 step 10|" in lines
    )
    assert lines[-1] == "  2. keep windows with avg(en) >= 1.3"


def test_nothing_is_left_to_do_with_the_same_result(call: Call) -> None:
    outcome = call("match", "@vela.xq", "@vela.xq", *SCHEMA)
    assert outcome.stdout.splitlines()[-1] == "  1. take the stream as it is"


def test_no_for_people(call: Call) -> None:
    outcome = call("match", "@vela.xq", "@average_20.xq", *SCHEMA)
    assert outcome.stdout.splitlines()[:2] == [
        "no: the result cannot be reused",
        "  ✗ kind: aggregate values cannot give back items",
    ]
    assert outcome.status == 0


def test_what_was_taken_for_numbers_is_told(call: Call) -> None:
    outcome = call("match", "@average_20.xq", "@vela.xq", *SCHEMA)
    assert outcome.stderr == (
        "photons: taken for numbers, as they are used so: "
        "coord/cel/dec, coord/cel/ra, det_time, en\n"
    )


def test_what_is_not_used_as_a_number_is_text(call: Call) -> None:
    new, old = (
        f"for $p in {PHOTON} where $p/phc = '{value}' and $p/en >= 1 return $p"
        for value in ("a", "b")
    )
    outcome = call("match", new, old, *SCHEMA, "--json")
    (reason,) = json.loads(outcome.stdout)["reasons"]
    assert 'phc = "b"' in reason and "used so: en\n" in outcome.stderr


def test_types_can_be_set(call: Call) -> None:
    new, old = (f"for $p in {PHOTON} where $p/phc {each} return $p" for each in ("> 3", ">= 4"))
    assert "✗" in call("match", new, old, *SCHEMA).stdout
    known = (*SCHEMA, "--set", "photons.type.photon/phc=integer")
    outcome = call("match", new, old, *known)
    assert outcome.stdout.startswith("yes") and outcome.stderr == ""


def test_the_order_of_a_stream_is_a_number(call: Call) -> None:
    outcome = call("match", VELA, VELA, *SCHEMA, "--order", "photons=det_time")
    assert outcome.stdout.startswith("yes") and "det_time" not in outcome.stderr


def test_types_can_be_seen_in_a_sample(call: Call, folder: Path) -> None:
    photon = "<photon><phc>7</phc><en>1.5</en><det_time>1</det_time></photon>"
    (folder / "p.xml").write_text(f"<photons>{photon}</photons>")
    new, old = (f"for $p in {PHOTON} where $p/phc {each} return $p" for each in ("> 3", ">= 4"))
    outcome = call("match", new, old, "--stream", "photons=p.xml")
    assert outcome.stdout.startswith("yes")
    assert "photons: photon/phc: integer" in outcome.stderr


def test_choices_about_windows(call: Call) -> None:
    gathered = ("--set", "photons.end=gather")
    outcome = call("match", "@average_60.xq", "@average_20.xq", *SCHEMA, *gathered, "--json")
    (reason,) = json.loads(outcome.stdout)["reasons"]
    assert "end rule 'gather'" in reason


def test_a_graph_of_several_queries(call: Call, folder: Path) -> None:
    files = [f"@{name}.xq" for name in QUERIES]
    outcome = call("match", *files, *SCHEMA, "--graph", "shared.svg")
    assert outcome.stdout.splitlines() == [
        "vela",
        "├─▶ rxj",
        "└─▶ average_20",
        "    └─▶ average_60",
    ]
    assert etree.parse(str(folder / "shared.svg")).getroot().tag.endswith("svg")


def test_a_graph_as_json(call: Call) -> None:
    outcome = call("match", VELA, RXJ, *SCHEMA, "--graph", "shared.svg", "--json")
    assert json.loads(outcome.stdout) == {
        "graph": "shared.svg",
        "pairs": [
            {"new": "Q2", "old": "Q1", "reusable": True},
            {"new": "Q1", "old": "Q2", "reusable": False},
        ],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((VELA, RXJ), "--schema NAME=FILE"),
        ((VELA, RXJ, "--schema", "photons"), "is not NAME=VALUE"),
        ((VELA, RXJ, "--schema", "photons=no.dtd"), "cannot read schema no.dtd"),
        ((VELA, RXJ, "--schema", "sky=photons.dtd"), "there is no stream 'photons'"),
        ((VELA, "for $p in", *SCHEMA), "query error"),
        ((VELA, "@no.xq", *SCHEMA), "cannot read the query file"),
        ((VELA, RXJ, AVERAGE_20, *SCHEMA), "with --graph only"),
        ((VELA, RXJ, *SCHEMA, "--set", "photons.speed=3"), "unknown option 'speed'"),
        ((VELA, RXJ, *SCHEMA, "--set", "sky.type.en=text"), "no --schema is named 'sky'"),
        ((VELA, RXJ, *SCHEMA, "--set", "photons.type.enrgy=text"), "no leaf enrgy"),
        ((VELA, RXJ, *SCHEMA, "--graph", "no/such/place.svg"), "cannot write"),
        ((VELA, RXJ, "--stream", "photons=no.xml"), "there is nothing at 'no.xml'"),
    ],
)
def test_mistakes_are_the_callers(call: Call, arguments: tuple[str, ...], message: str) -> None:
    outcome = call("match", *arguments)
    assert outcome.status == 2
    assert message in outcome.stderr


def test_a_query_that_can_never_have_a_result_is_refused(call: Call) -> None:
    never = f"for $p in {PHOTON} where $p/en > 3 and $p/en < $p/phc and $p/phc < 2 return $p"
    outcome = call("match", never, VELA, *SCHEMA, "--json")
    assert outcome.status == 2
    assert json.loads(outcome.stdout)["code"] == "contradiction"
