"""Explanations say what runs in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import millstream
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.generators.tagged.writing import write_tagged
from millstream.model.tags import tag_vocabulary
from millstream.runtime.session import SparkSession

pytestmark = pytest.mark.spark

GROUPED = "in Python: tuples with several tags are brought to their groups, one by one"
ALIKE = "in Python: alike, once for each pair of contents"
CALLS = {
    "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS": [GROUPED],
    "SELECT TAGGED OBJECTS FROM Patients WHERE Alike(TAG, 'Running') > 0.5": [ALIKE],
    "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS USING alike 0.8": [GROUPED, ALIKE],
    "SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'Running'": [],
}


def alike(one: str, other: str) -> float:
    return float(one == other)


def test_functions_of_python_are_told(spark: SparkSession, tmp_path: Path) -> None:
    write_tagged(tmp_path / "patients.jsonl", patient_measurements(20), PATIENTS)
    vocabulary = tag_vocabulary(functions={"alike": alike})
    with millstream.open(tmp_path / "space", spark=spark, vocabulary=vocabulary) as mill:
        mill.create_stream("Patients", tmp_path / "patients.jsonl")
        told = {text: mill.explain(text).evaluation.splitlines()[1:] for text in CALLS}
    assert told == CALLS
