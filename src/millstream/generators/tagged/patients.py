"""Patients whose heart rate and place are measured, and who say what they are doing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from millstream.errors import MillstreamError
from millstream.model.schema import ValueType
from millstream.model.tags import (
    Applicability,
    Element,
    Mode,
    NamePattern,
    ObjectName,
    Sign,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    TickTag,
    tick_tag,
)
from millstream.model.tags.duration import SECOND, UNITS
from millstream.model.tags.event_time import TimeForm, format_time
from millstream.model.tags.location import Point, format_location

PATIENTS = StreamShape(
    "Patients",
    (
        StreamAttribute("pid"),
        StreamAttribute("measure", ValueType.INTEGER),
        StreamAttribute("loc"),
        StreamAttribute("time", ValueType.DECIMAL),
    ),
)

_RUNS, _RESTS, _PANICS, _WALKS = 0.002, 0.02, 0.0005, 0.1
"""How likely a patient starts to run, stops, panics or walks on between two measurements."""


@dataclass(frozen=True, slots=True)
class Ward:
    """Who is measured how often: equal wards give equal measurements."""

    seed: int = 0
    patients: int = 20
    interval: float = 1.0
    """Seconds from one measurement to the next."""
    tags: bool = True
    """True when patients say what they are doing."""

    def __post_init__(self) -> None:
        if self.patients < 1 or not self.interval > 0:
            raise MillstreamError("a ward has at least one patient and an interval above 0")


@dataclass(slots=True)
class _Patient:
    name: str
    rate: float
    place: Point
    running: bool = False
    measured: int = 0


def patient_measurements(count: int, ward: Ward | None = None) -> Iterator[Element]:
    """So many elements of a ward: measurements, each after the tags that its patient attaches.

    A tuple's id is the patient's and the number of the measurement: all of p7 match 'p7-.*'.
    """
    return islice(_elements(ward or Ward()), count)


def _elements(ward: Ward) -> Iterator[Element]:
    random = Random(f"ward {ward.seed}")
    patients = [
        _Patient(f"p{number}", random.uniform(60, 75), (random.random(), random.random()))
        for number in range(1, ward.patients + 1)
    ]
    turn = 0
    while True:
        patient = patients[turn % len(patients)]
        time = round(turn * ward.interval * SECOND)
        tags = list(_live(patient, time, random))
        yield from tags if ward.tags else ()
        yield _measurement(patient, time, random)
        turn += 1


def _live(patient: _Patient, time: int, random: Random) -> Iterator[TickTag]:
    """What a patient does until the next measurement, and says about it."""
    if random.random() < _WALKS:
        x, y = (random.gauss(each, 0.01) for each in patient.place)
        patient.place = (min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0))
    if patient.running:
        patient.running = random.random() >= _RESTS
    elif random.random() < _RUNS:
        patient.running = True
        yield _tag(patient, "Running", "measure", Sign.POSITIVE, 30 * UNITS["min"], time)
    elif random.random() < _PANICS:
        yield _tag(patient, "Panic attack", "loc", Sign.NEGATIVE, UNITS["min"], time)


def _tag(
    patient: _Patient, content: str, attribute: str, sign: Sign, lifespan: int, time: int
) -> TickTag:
    name = ObjectName(attribute, of_value=attribute == "loc")
    return tick_tag(
        content,
        tagger=patient.name,
        timestamp=time,
        applicability=Applicability(tuples=NamePattern(f"{patient.name}-.*"), objects=(name,)),
        sign=sign,
        lifespan=lifespan,
        mode=Mode.OVERWRITE,
    )


def _measurement(patient: _Patient, time: int, random: Random) -> StreamTuple:
    patient.measured += 1
    rate = patient.rate + (60 if patient.running else 0) + random.gauss(0, 4)
    shown = format_location(patient.place, digits=3)
    texts = (patient.name, str(round(rate)), shown, format_time(time, TimeForm.SECONDS))
    return StreamTuple(f"{patient.name}-{patient.measured}", time, texts)
