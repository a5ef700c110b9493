"""Figures 14 and 15: the join by tags, and the join that carries tags."""

from __future__ import annotations

from tag_data import tuples
from tag_meter import Measured, Meter

from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.functions import meaning
from millstream.model.tags import emotions

BY_TAGS = "SELECT TAGGED OBJECTS FROM A [5 s], B [5 s] WHERE TAG(A) EQUIVALENT TO TAG(B)"
BY_DISTANCE = (
    "SELECT A.object_id, B.object_id FROM A [2 s], B [2 s] WHERE Dist(A.location, B.location) < 0.1"
)


def tag_join(meter: Meter) -> list[Measured]:
    """The join by tags; at every share a fifth of the tuples can meet, so as many pairs come."""
    shares = meter.size.shares[1:]
    # A frame is bound to the views of its share, so all shares can take turns.
    frames = [
        meter.session.sql(_prepared(meter, BY_TAGS, meter.size.joined, share, 0.2 / share))
        for share in shares
    ]
    taken = meter.seconds(*frames)
    pairs = [frame.where("kind = 'results'").count() for frame in frames]
    return [
        {"share": share, "seconds": seconds, "pairs": count, "÷ at 20 %": seconds / taken[0]}
        for share, seconds, count in zip(shares, taken, pairs, strict=True)
    ]


def nested(meter: Meter) -> list[Measured]:
    """Live tags on both sides: by keys, and pair by pair as in the paper's algorithm.

    The paper's loop asks of each pair whether the two words mean the same. A kinder one looks up
    once for each tag what its word means, and compares that.
    """
    count = meter.size.looped
    for view, seed in (("mine", 1), ("theirs", 2)):
        meter.show(view, tuples(count, 1.0, 1, seed, matching=0.01).tags)
    means = {side: meaning(f"{side}.content", emotions()) for side in ("a", "b")}
    keyed = f"SELECT a.tag, b.tag FROM mine a JOIN theirs b ON {means['a']} = {means['b']}"
    loop = (
        "SELECT /*+ BROADCAST(b) */ a.tag, b.tag FROM (SELECT /*+ REPARTITION(2) */ * FROM mine) a"
        f" JOIN theirs b ON {_same(means['a'], means['b'])}"
    )
    sides = (
        f"(SELECT /*+ REPARTITION(2) */ a.tag, {means['a']} AS word FROM mine a)",
        f"(SELECT b.tag, {means['b']} AS word FROM theirs b)",
    )
    kinder = (
        f"SELECT /*+ BROADCAST(b) */ a.tag, b.tag FROM {sides[0]} a JOIN {sides[1]} b"
        f" ON {_same('a.word', 'b.word')}"
    )
    by_keys, comparing = meter.seconds(keyed, kinder)
    pair_by_pair = meter.once(loop)
    return [
        {
            "share": 1.0,
            "tags a side": count,
            "by keys s": by_keys,
            "nested loop s": pair_by_pair,
            "nested loop ÷ by keys": pair_by_pair / by_keys,
            "only comparing ÷ by keys": comparing / by_keys,
        }
    ]


def _same(one: str, other: str) -> str:
    """That two words are equal, in a way that makes no key of them."""
    return f"coalesce({one} = {other}, false)"


def aware_join(meter: Meter) -> list[Measured]:
    """The join by distance with tags, beside the same join without them."""
    found = []
    for share in meter.size.shares:
        near = meter.size.near
        plain = meter.session.sql(_prepared(meter, BY_DISTANCE, near, 0.0, 1.0))
        text = f"{BY_DISTANCE} WITH TAGS"
        aware = meter.session.sql(_prepared(meter, text, near, share, 1.0))
        same = _operators(plain) == _operators(aware)
        without, with_tags = meter.seconds(plain, aware)
        found.append(
            {
                "share": share,
                "seconds": with_tags,
                "with tags ÷ without": with_tags / without,
                "same plan": same,
            }
        )
    return found


def _prepared(meter: Meter, text: str, count: int, share: float, matching: float) -> str:
    """The statement of a step of A, with the tuples of B in the state."""
    tags = StepTags(now=share > 0, before=share > 0)
    meter.forget()
    meter.tagged(tuples(count, share, 1, 4, matching), share)
    kept = meter.session.sql(meter.statement(text, "B", tags)).toArrow()
    meter.keep("B", kept)
    meter.tagged(tuples(count, share, 1, 3, matching), share)
    return meter.statement(text, "A", tags)


def _operators(frame: object) -> list[str]:
    """The operators of the physical plan."""
    plan = frame._jdf.queryExecution().sparkPlan().treeString()  # type: ignore[attr-defined]
    return [line.lstrip(" :+-").split(" ")[0].split("(")[0] for line in plan.splitlines()]
