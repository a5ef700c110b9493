"""One contender, alone in its processes: python bench/_sharing measure CONTENDER TASKS LIMIT.

A contender is warmed up with a small task, since streams run for long, and then measured.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import mill
from meter import metered, seconds_used
from rivals import RIVALS
from task import Task

from millstream.runtime.session import own_session

FACTS = "facts.json"
"""Where a contender leaves what it has to say, in the folder of its task."""
CONTENDERS = {"millstream": mill.run, **RIVALS}


def main(what: str, contender: str, tasks: str, *rest: str) -> None:
    if what == "measure":
        command = [sys.executable, sys.argv[0], "run", contender, tasks]
        print(json.dumps(asdict(metered(command, float(rest[0])))))
    else:
        contend(contender, [Task.from_json(each) for each in json.loads(tasks)])


def contend(contender: str, tasks: Sequence[Task]) -> None:
    """Let a contender do its tasks, one after the other; what each took is written down."""
    spark = own_session("2g", 2)
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    for task in tasks:
        task.folder.mkdir(parents=True)
        cpu, clock = seconds_used(), time.monotonic()
        facts = CONTENDERS[contender](spark, task) or {}
        facts |= {"cpu": seconds_used() - cpu, "seconds": time.monotonic() - clock}
        Path(task.folder, FACTS).write_text(json.dumps(facts))
    spark.stop()


main(*sys.argv[1:])
