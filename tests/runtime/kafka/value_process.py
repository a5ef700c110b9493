"""Streams of topics with values of every kind, in a process of its own.

    value_process.py BROKER

What the streams give is printed as JSON.
"""

from __future__ import annotations

import json
import sys

import millstream
from millstream.model.tag_structure_text import tag_structure_text
from tests.history.credit import STRUCTURE
from tests.runtime.kafka.test_framing import AVRO_SCHEMA

ABOVE = """<above>{ for $r in stream("readings")/readings/item where $r/value > 10
  return <r>{ $r/@kafka_key }{ $r/sensor }{ $r/value }</r> }</above>"""
MEASURED = """<measured>{ for $r in stream("measures")/measures/item where $r/value > 1
  return <m>{ $r/sensor }{ $r/at }</m> }</measured>"""
SUMS = """<sums>{ for $w in stream("ticks")/ticks/tick|n diff 10 step 10|
  let $a := sum($w/v) return <s>{ $a }</s> }</sums>"""
LIMITS = 'for $l in stream("credit")//creditLimit return <l>{ $l/text() }</l>'


def main(broker: str) -> None:
    with millstream.open(memory="512m") as mill:
        mill.create_stream(
            "readings", f"{broker}/readings?carry=key,timestamp", order_by="@kafka_timestamp"
        )
        mill.create_stream("measures", f"{broker}/measures", format="avro", schema=AVRO_SCHEMA)
        mill.create_stream("posts", f"{broker}/posts?headers=tags&tagger=relay", order_by="at")
        mill.create_stream("ticks", f"{broker}/ticks?max=7", order_by="n", lateness=20, finite=True)
        mill.create_stream("later", f'{broker}/ticks?starting={{"0": 3, "1": 3}}')
        mill.create_stream("credit", f"{broker}/credit", schema=tag_structure_text(STRUCTURE))
        subscriptions = {
            "above": mill.subscribe(ABOVE, name="above"),
            "measured": mill.subscribe(MEASURED, name="measured"),
            "urgent": mill.subscribe(
                "SELECT TAGGED OBJECTS FROM posts WHERE TAG = 'priority=high' AND TAGGER = 'relay'",
                name="urgent",
            ),
            "sums": mill.subscribe(SUMS, name="sums"),
        }
        mill.run()
        found = {name: list(each.results()) for name, each in subscriptions.items()}
        found["later"] = [each.text for each in mill.streams["later"].items()]
        found["limits"] = sorted(str(each) for each in mill.query(LIMITS).items)
        found["formats"] = [each.schema.item.name for each in mill.streams.values()]
        found["aside"] = [
            f"{name}: {each.reason}"
            for name, stream in mill.streams.items()
            for each in stream.quarantine()
        ]
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
