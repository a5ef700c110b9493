"""Registration looks at thousands of flows: one comparison must cost next to nothing."""

from __future__ import annotations

from random import Random
from time import process_time

from millstream.sharing.predicates import Predicate, implies
from tests.sharing.predicates.things import predicate

FLOWS = 1_000
MOST_MICROSECONDS = 100


def box(random: Random) -> Predicate:
    """Four bounds on two values and one on a third."""
    low, high = random.uniform(0, 50), random.uniform(50, 100)
    return predicate(
        f"$p/d >= {low:.1f} and $p/d <= {high:.1f} and $p/e >= {low:.2f} and $p/e <= {high:.2f}"
        f" and $p/i > {random.randint(0, 9)}"
    )


def test_a_new_box_is_compared_with_many_in_microseconds() -> None:
    random = Random(7)
    boxes = [box(random) for _ in range(40)]
    new = box(random)
    implies(new, new)
    for each in boxes:
        implies(new, each)
    start = process_time()
    for number in range(FLOWS):
        implies(new, boxes[number % len(boxes)])
    assert (process_time() - start) / FLOWS * 1e6 < MOST_MICROSECONDS
