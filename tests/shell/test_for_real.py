"""Queries that are asked at the shell, of a mill that turns."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import millstream
from millstream.runtime.session import SparkSession
from millstream.shell.local import LocalMill
from millstream.shell.loop import run_script
from millstream.shell.session import Session
from tests.shell.test_mills import HIGH, READINGS

SCRIPT = f"""
\\stream readings {{folder}}/readings.xml order_by=minute key=minute
\\format xml
{HIGH};
\\subscribe again
\\results again
\\attach readings rushing lifespan="2 h"
SELECT * FROM readings WHERE level > 2.2;
\\streams
"""


@pytest.mark.spark
@pytest.mark.long
def test_script_is_answered(tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "readings.xml").write_text(READINGS)
    out, err = io.StringIO(), io.StringIO()
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        session = Session(LocalMill(mill, "here"), out, err)
        status = run_script(session, SCRIPT.format(folder=tmp_path).splitlines(keepends=True))
        kept = [each["name"] for each in session.backend.subscriptions()]
    assert status == 0, err.getvalue()
    assert out.getvalue().count("<minute>4</minute>") == 3
    assert kept == ["again"]
