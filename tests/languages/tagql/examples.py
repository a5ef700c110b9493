"""The statements of the paper that introduced TAG-QL, as it spells them, and their streams."""

from __future__ import annotations

from millstream.model.schema import ValueType
from millstream.model.tags import StreamAttribute, StreamShape

PATIENTS = StreamShape(
    "Patients",
    (
        StreamAttribute("pid"),
        StreamAttribute("measure", ValueType.INTEGER),
        StreamAttribute("loc"),
        StreamAttribute("time", ValueType.INTEGER),
    ),
)
ANIMALS = StreamShape("Animals", (StreamAttribute("pid"), StreamAttribute("loc")))
VEHICLES = StreamShape(
    "Vehicles",
    (
        StreamAttribute("object_id"),
        StreamAttribute("location"),
        StreamAttribute("speed", ValueType.DECIMAL),
    ),
)
PEDESTRIANS = StreamShape("Pedestrians", VEHICLES.attributes)
CATALOG = {each.name: each for each in (PATIENTS, ANIMALS, VEHICLES, PEDESTRIANS)}

PANIC_ATTACK = """\
ATTACH TAG `Panic attack'
TO Patients.loc.value
WITH
TAGSIGN = `-' AND
TAGLIFESPAN = 1 min AND
TAGMODE = OVERWRITE
"""

RUNNING = """\
ATTACH TAG 'Running'
TO Patients.measure
WITH
TAG_SIGN = '+'
TAG_LIFESPAN = 30 min
TAG_MODE = OVERWRITE
"""

DANGEROUS = """\
ATTACH TAG ‘Dangerous’
CONTINUOUSLY
TO Patients.pid.value
WHERE (SELECT pid
       FROM Patients
       WHERE measure > 80)
WITH
TAG_SIGN = ‘-’
"""

Q1 = "SELECT TAGS FROM Patients WHERE OBJECT = Patients.measure AND TAGSIGN = `-'"
Q2 = "SELECT TAGGED OBJECTS FROM Patients WHERE TAG = `Emergency'"
Q3 = "SELECT pid, loc, time FROM Patients WHERE measure > 80 WITH TAGS"
Q4 = """\
SELECT A.pid, B.pid
FROM Patients A [1 min], Animals B [3 min]
WHERE Dist(A.loc, B.loc) < 0.2
WITH TAGS
"""

EXPERIMENT_1 = """\
ATTACH TAG ONE OF ('happy', 'sad', 'jealous', 'angry', 'elated')
CONTINUOUSLY
TO Vehicles
WHERE location WITHIN SQUARE(0.5, 0.5, 0.25)
"""
EXPERIMENT_2 = """\
SELECT TAGS
FROM Vehicles
WHERE (TAG EQUIVALENT TO 'sad' OR TAG EQUIVALENT TO 'angry')
  AND location WITHIN SQUARE(0.5, 0.5, 2)
"""
EXPERIMENT_3 = """\
SELECT TAGGED OBJECTS
FROM Vehicles A [1 min], Pedestrians B [1 min]
WHERE TAG(A) EQUIVALENT TO TAG(B)
"""
EXPERIMENT_4 = """\
SELECT A.object_id, B.object_id
FROM Vehicles A [1 min], Pedestrians B [1 min]
WHERE Dist(A.location, B.location) < 0.1
WITH TAGS
"""

EXAMPLES = {
    "panic attack": PANIC_ATTACK,
    "running": RUNNING,
    "dangerous": DANGEROUS,
    "Q1": Q1,
    "Q2": Q2,
    "Q3": Q3,
    "Q4": Q4,
    "experiment 1": EXPERIMENT_1,
    "experiment 2": EXPERIMENT_2,
    "experiment 3": EXPERIMENT_3,
    "experiment 4": EXPERIMENT_4,
}
