"""Figure 11: the tagger beside a selection by the same condition, and beside passing on."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
from tag_data import tuples
from tag_meter import NEVER, NOW, Measured, Meter

import millstream
from millstream.compiler.branch import batch_sql
from millstream.compiler.tags.attaching import AttachStatement
from millstream.model.tags.step_layout import STEP_NUMBERS

EVERYTHING = "SELECT * FROM A"


def tagger(meter: Meter) -> list[Measured]:
    """The statements of steps, into the next operator."""
    plain = tuples(meter.size.tuples, 0.0, 1, 1)
    # The first statements of a session are slow, whatever they say.
    _at(meter, meter.size.shares[-1], plain)
    return [_at(meter, share, plain) for share in meter.size.shares]


def _at(meter: Meter, share: float, plain: object) -> Measured:
    meter.tagged(plain, 0.0)  # type: ignore[arg-type]
    region = _region(share)
    frames = [
        meter.session.sql(meter.statement(text, "A", NEVER))
        for text in (f"{EVERYTHING} WHERE {region}", EVERYTHING)
    ]
    branch = meter.compiled(f"ATTACH TAG 'happy' CONTINUOUSLY TO A WHERE {region}", "A")
    statement = branch.statements["A"]
    assert isinstance(statement, AttachStatement)
    number = statement.numbered(branch.constants, STEP_NUMBERS, 0)
    told = meter.session.sql(f"SELECT b.*, {number} AS tagset FROM batch b")
    told.createOrReplaceTempView("batch")
    sql = batch_sql({branch.signature: statement}, full=False, tags=NOW)
    selection, passed, tagging = meter.seconds(*frames, meter.session.sql(sql))
    return {
        "share": share,
        "seconds": tagging,
        "selection s": selection,
        "tagger ÷ selection": tagging / selection,
        "tagger ÷ pass-through": tagging / passed,
    }


def wire(meter: Meter) -> list[Measured]:
    """Runs of a mill over files: the steps, and the results on the wire."""
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        source = Path(folder) / "objects.jsonl"
        _write(source, meter.size.wire)
        rows = []
        for share in (0.2, 1.0):
            region = _region(share)
            texts = (
                f"{EVERYTHING} WHERE {region}",
                f"ATTACH TAG 'happy' CONTINUOUSLY TO A WHERE {region}",
            )
            for text in texts:
                _run(meter, source, text)
            chosen, tagged = (_run(meter, source, text) for text in texts)
            rows.append(
                {
                    "share": share,
                    "step ÷ selection": tagged[0] / chosen[0],
                    "step and wire ÷ selection": sum(tagged) / sum(chosen),
                    "step s": tagged[0],
                    "wire s": tagged[1],
                }
            )
    return rows


def _run(meter: Meter, source: Path, text: str) -> tuple[float, float]:
    """What the steps of a mill take, and what it takes to write its results."""
    with (
        tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder,
        millstream.open(Path(folder) / "space", spark=meter.session) as mill,
    ):
        mill.create_stream("A", source, finite=True)
        subscription = mill.subscribe(text)
        report = mill.run()
        started = time.monotonic()
        with (Path(folder) / "results.jsonl").open("w") as file:
            file.writelines(f"{line}\n" for line in subscription.wire())
        return report.seconds, time.monotonic() - started


def _write(source: Path, count: int) -> None:
    draw = np.random.default_rng(5)
    places = draw.random((count, 2))
    with source.open("w") as file:
        for number, (x, y) in enumerate(places):
            attributes = f'{{"object_id": "o{number % 997}", "location": "{x:.5f} {y:.5f}"}}'
            head = f'{{"tuple": {{"id": "o{number}", "time": {number / 100:.2f}'
            file.write(f'{head}, "attributes": {attributes}}}}}\n')


def _region(share: float) -> str:
    return f"location WITHIN RECTANGLE(0, 0, {max(share, 1e-9)}, 1)"
