"""Sharing, tags and histories on whatever Spark is named; what they give, as JSON.

python -m tests.cluster.workload MASTER FOLDER
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

from pyspark.sql import SparkSession

import millstream
from millstream.generators.credit import Bank, credit_structure, fillers
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import PHOTONS_DTD, write
from millstream.generators.tagged.emotions import Moods, tag_with_emotions
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.mill import Mill
from millstream.model.filler import filler_text
from millstream.model.tag_structure_text import tag_structure_text
from millstream.model.tags.wire import WireOptions, write_json_lines
from tests.history import seed_queries
from tests.runtime.photon_subscriptions import MADE_UP, subscription

BOXES = 8
TAG_QUERIES = {
    "tagged": "SELECT TAGGED OBJECTS FROM Patients WHERE TAG EQUIVALENT TO 'happy'",
    "averages": "SELECT pid, AVG(measure) FROM Patients [30 s] GROUP BY pid WITH TAGS",
}
HISTORY_QUERIES = {
    "limits": 'for $l in stream("credit")//creditLimit?[now] return <l>{ $l/text() }</l>',
    "charged": seed_queries.CHARGED.replace("creditSystem", "credit").replace("1000", "100"),
}


def session(master: str) -> SparkSession:
    """A Spark that this program drives; on a cluster each executor has one core."""
    builder = SparkSession.builder.master(master).appName("millstream workload")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "700m",
        "spark.executor.cores": "1",
        "spark.ui.enabled": "false",
        "spark.buffer.pageSize": "1m",
        "spark.log.level": "ERROR",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(each for each in sys.path if each),
        "spark.default.parallelism": "2",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def prepare(folder: Path) -> None:
    """All sources, the same for everyone."""
    write(folder / "photons", 1500, files=5, rate=3)
    elements = list(tag_with_emotions(patient_measurements(120), Moods(share=0.4)))
    lines = write_json_lines(elements, WireOptions(PATIENTS))
    (folder / "patients.jsonl").write_text("\n".join(lines))
    (folder / "credit").mkdir()
    structure = credit_structure()
    (folder / "credit" / "tag-structure.xml").write_text(tag_structure_text(structure))
    texts = "\n".join(filler_text(each) for each in fillers(Bank(accounts=8, transactions=120)))
    (folder / "credit" / "fillers.xml").write_text(texts)


def install(mill: Mill, folder: Path) -> None:
    mill.create_stream(
        "photons",
        folder / "photons",
        schema=PHOTONS_DTD,
        order_by="det_time",
        finite=True,
        max_items_per_batch=300,
    )
    mill.create_stream("Patients", folder / "patients.jsonl", finite=True, lateness=5)
    mill.create_stream("credit", folder / "credit", finite=True)
    draw = random.Random(11)
    shared = {f"shared {number}": subscription(draw, MADE_UP) for number in range(BOXES)}
    for name, text in {**PHOTON_QUERIES, **shared, **TAG_QUERIES, **HISTORY_QUERIES}.items():
        mill.subscribe(text, name=name)


def main(master: str, folder: Path) -> None:
    spark = session(master)
    try:
        with millstream.open(folder / "space", spark=spark) as mill:
            if not mill.streams:
                install(mill, folder)
            mill.run(until="drained", on_progress=lambda each: _tell(f"step {each.step}"))
            found = {name: list(each.results()) for name, each in mill.subscriptions.items()}
            for name, text in HISTORY_QUERIES.items():
                found[f"{name} once"] = list(mill.query(text, engine="spark").items)
        json.dump(found, sys.stdout)
    finally:
        spark.stop()


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
