"""Random things whose values often lie just on the bounds of random conditions."""

from __future__ import annotations

from random import Random

from millstream.model.schema import ValueType
from millstream.testing.reference.nodes import ElementNode
from tests.sharing.predicates.random_conditions import TEXTS, TIMES
from tests.sharing.predicates.things import REPEATED, TYPES, thing

ABSENT = 0.1


def random_thing(random: Random) -> ElementNode:
    """A thing with values from the same few as the constants of conditions."""
    values: dict[str, str | list[str]] = {
        name: random_text(random, type) for name, type in TYPES.items() if random.random() > ABSENT
    }
    for name, type in REPEATED.items():
        values[name] = [random_text(random, type) for _ in range(random.choice((0, 1, 2, 2)))]
    return thing(values)


def random_text(random: Random, type: ValueType) -> str:
    """The text of a leaf."""
    match type:
        case ValueType.INTEGER:
            return str(random.randint(-4, 6))
        case ValueType.DECIMAL:
            return f"{random.randint(-25, 45) / 10}"
        case ValueType.DOUBLE:
            return random.choice((f"{random.randint(-25, 45) / 10}", "NaN", "INF", "-INF", "1e-1"))
        case ValueType.TIME:
            return random.choice((*TIMES, "2003-11-02T00:00:00Z"))
        case ValueType.TEXT:
            return random.choice((*TEXTS, " a", "d", "7", ""))


def thing_on_a_bound(random: Random) -> ElementNode:
    """A thing whose d is the exact sum of its e and a constant, both of one decimal place."""
    part, constant = random.randint(-25, 45), random.randint(-20, 40)
    return thing({"d": f"{(part + constant) / 10}", "e": f"{part / 10}", "f": f"{part / 10}"})
