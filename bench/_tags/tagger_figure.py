"""Figure 11: the tagger beside a selection by the same condition, and beside passing on."""

from __future__ import annotations

from tag_data import tuples
from tag_meter import NEVER, NOW, Measured, Meter

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
    chosen = region(share)
    frames = [
        meter.session.sql(meter.statement(text, "A", NEVER))
        for text in (f"{EVERYTHING} WHERE {chosen}", EVERYTHING)
    ]
    branch = meter.compiled(f"ATTACH TAG 'happy' CONTINUOUSLY TO A WHERE {chosen}", "A")
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


def region(share: float) -> str:
    """The condition that so many tuples satisfy."""
    return f"location WITHIN RECTANGLE(0, 0, {max(share, 1e-9)}, 1)"
