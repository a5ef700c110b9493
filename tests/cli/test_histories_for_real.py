"""Histories on the command line with the real mill behind it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from millstream.generators.credit import CREDIT_STRUCTURE, Bank, fillers
from millstream.history.filler_files import STRUCTURE_FILE, write_fillers
from tests.cli.conftest import Call

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600)]

LARGE = """for $t in stream("credit")//transaction
where $t/amount > 300 and $t/status?[now] = "charged"
return <large vendor="{ $t/vendor }">{ $t/amount/text() }</large>"""
FILE = f"""
[space]
path = "space"
clock = "data"

[[stream]]
name = "credit"
source = "credit"
schema = "credit/{STRUCTURE_FILE}"
finite = true
max_items_per_batch = 150

[[subscription]]
name = "large"
text = '''{LARGE}'''

[[subscription.sink]]
format = "xml"
path = "large.xml"
"""


def test_a_history_is_run_and_asked(tmp_path: Path, call: Call) -> None:
    write_fillers(tmp_path / "credit", fillers(Bank(10, 200, seed=3)), per_file=200)
    (tmp_path / "credit" / STRUCTURE_FILE).write_text(CREDIT_STRUCTURE)
    bad = '<filler id="3" tsid="99" validTime="2003-01-01"><x/></filler>'
    (tmp_path / "credit" / "fillers-00009.xml").write_text(bad)
    (tmp_path / "mill.toml").write_text(FILE)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "millstream",
            "run",
            str(tmp_path / "mill.toml"),
            "--until",
            "drained",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    space = str(tmp_path / "space")
    (stream,) = json.loads(call("streams", space, "--json").stdout)["streams"]
    assert stream["paths"][-1] == "creditAccounts/account/transaction/amount"
    assert stream["items"] > 400
    items = json.loads(call("results", space, "large", "--json").stdout)["items"]
    assert items
    assert (tmp_path / "large.xml").read_text().split("\n")[:-1] == items
    (entry,) = json.loads(call("quarantine", space, "--json").stdout)["quarantine"]
    assert entry["reason"].startswith("unknown-tsid: ")
    asked = [
        json.loads(call("query", text, "--space", space, "--json").stdout)["items"]
        for text in (LARGE, 'stream("large")//result?[now]/large')
    ]
    assert sorted(asked[0]) == sorted(asked[1])
    assert asked[0]
    early = call("query", LARGE, "--space", space, "--now", "2003-01-01", "--json").stdout
    assert json.loads(early)["items"] == []
    assert "SaxonC" in call("explain", LARGE, "--space", space).stdout
