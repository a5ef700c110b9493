"""millstream run: what a file asks for, and how a run ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from millstream.cli.run_file import read_run_file
from millstream.errors import SchemaError
from tests.cli.conftest import Call
from tests.cli.fake_door import FakeMill

FILE = """
[space]
path = "space"
memory = "2g"

[[stream]]
name = "photons"
source = "photons/*.xml"
order_by = "det_time"
types = { "coord/cel/ra" = "decimal" }

[[subscription]]
name = "vela"
file = "vela.xq"
end = "cut"

[[subscription.sink]]
format = "xml"
path = "out/vela.xml"

[[subscription]]
name = "all"
text = "for $p in stream('photons')/photons/photon return $p"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "vela.xq").write_text("the vela query")
    (tmp_path / "mill.toml").write_text(FILE)
    return tmp_path / "mill.toml"


def test_file_is_installed(call: Call, mill: FakeMill, file: Path) -> None:
    outcome = call("run", str(file), "--until", "drained")
    assert outcome.status == 0
    assert mill.opened == (file.parent / "space", {"memory": "2g", "cores": 2})
    assert mill.streams["photons"].source == str(file.parent / "photons/*.xml")
    assert mill.streams["photons"].options == {
        "order_by": "det_time",
        "types": {"coord/cel/ra": "decimal"},
    }
    assert mill.subscriptions["vela"].text == "the vela query"
    assert mill.subscriptions["vela"].options["end"] == "cut"
    assert mill.subscriptions["vela"].options["sinks"] == (
        {"format": "xml", "path": str(file.parent / "out/vela.xml")},
    )
    assert list(mill.subscriptions) == ["vela", "all"]


def test_what_the_space_has_is_left_alone(call: Call, mill: FakeMill, file: Path) -> None:
    mill.create_stream("photons", "before")
    mill.subscribe("before", name="vela")
    call("run", str(file), "--until", "drained")
    assert mill.streams["photons"].source == "before"
    assert mill.subscriptions["vela"].text == "before"
    assert "all" in mill.subscriptions


@pytest.mark.parametrize(
    ("until", "expected"), [("drained", "drained"), ("forever", "forever"), ("2.5", 2.5)]
)
def test_end_of_a_run(
    call: Call, mill: FakeMill, file: Path, until: str, expected: str | float
) -> None:
    call("run", str(file), "--until", until)
    assert mill.until == expected


@pytest.mark.parametrize("until", ["soon", "-1", "0", "inf", "nan"])
def test_wrong_end_is_the_callers_fault(call: Call, file: Path, until: str) -> None:
    assert call("run", str(file), "--until", until).status == 2


def test_interrupt_ends_a_run_cleanly(call: Call, mill: FakeMill, file: Path) -> None:
    mill.failure = KeyboardInterrupt()
    outcome = call("run", str(file), "--json")
    assert outcome.status == 0
    assert json.loads(outcome.stdout)["items"] == 3
    assert "stopped" in outcome.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[[stream", "is not TOML"),
        ("", "no [[stream]]"),
        ("[stream]\nname = 'a'", "must be written [[stream]]"),
        ("[[stream]]\nname = 'a'", "has no source"),
        ("[[stream]]\nname = 'a'\nsource = 1", "wrong kind of value: 1"),
        ("[[stream]]\nname = 'a'\nsource = 'b'\nlateness = true", "wrong kind of value: True"),
        ("[[stream]]\nname = 'a'\nsource = 'b'\noder_by = 'c'", "did you mean 'order_by'"),
        ("[[stream]]\nname = 'a'\nsource = 'b'\ntypes = {c = 'float'}", "cannot be 'float'"),
        ("[[strem]]\nname = 'a'", "unknown key 'strem'"),
        ("[space]\nroom = 1\n[[stream]]\nname = 'a'\nsource = 'b'", "unknown key 'room'"),
    ],
)
def test_wrong_file_says_what_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "mill.toml").write_text(content)
    with pytest.raises(SchemaError) as raised:
        read_run_file(tmp_path / "mill.toml")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("subscription", "message"),
    [
        ("name = 'q'", "either text or file"),
        ("name = 'q'\ntext = 'a'\nfile = 'b'", "either text or file"),
        ("text = 'a'", "has no name"),
        ("name = 'q'\nfile = 'nowhere.xq'", "cannot read"),
        ("name = 'q'\ntext = 'a'\nend = 'never'", "known: cut, gather, run"),
        ("name = 'q'\ntext = 'a'\n[[subscription.sink]]\npath = 'b'", "has no format"),
        ("name = 'q'\ntext = 'a'\n[[subscription]]\nname = 'q'\ntext = 'b'", "two subscriptions"),
    ],
)
def test_wrong_subscription_says_what_is_wrong(
    tmp_path: Path, subscription: str, message: str
) -> None:
    stream = "[[stream]]\nname = 'a'\nsource = 'b'\n"
    (tmp_path / "mill.toml").write_text(f"{stream}[[subscription]]\n{subscription}\n")
    with pytest.raises(SchemaError) as raised:
        read_run_file(tmp_path / "mill.toml")
    assert message in str(raised.value)


def test_missing_file_is_the_callers_fault(call: Call) -> None:
    outcome = call("run", "nowhere.toml")
    assert outcome.status == 2
    assert "cannot read 'nowhere.toml'" in outcome.stderr
