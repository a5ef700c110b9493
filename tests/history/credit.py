"""The credit accounts that tests of history speak of."""

from __future__ import annotations

from datetime import datetime

from millstream.history.filler_store import FillerStore
from millstream.model.filler import Filler
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import read_tag_structure
from millstream.model.values import parse_instant

STRUCTURE: TagStructure = read_tag_structure(
    """\
<stream:structure>
  <tag type="snapshot" id="1" name="creditAccounts">
    <tag type="temporal" id="2" name="account">
      <tag type="snapshot" id="3" name="customer"/>
      <tag type="temporal" id="4" name="creditLimit"/>
      <tag type="event" id="5" name="transaction">
        <tag type="snapshot" id="6" name="vendor"/>
        <tag type="temporal" id="7" name="status"/>
        <tag type="snapshot" id="8" name="amount"/>
      </tag> </tag> </tag>
</stream:structure>
"""
)


def time(text: str) -> datetime:
    return parse_instant(text)


def filler(id: int, tsid: int, at: str, content: str) -> Filler:
    return Filler(id, tsid, time(at), content)


ROOT = filler(0, 1, "2003-01-01", '<creditAccounts><hole id="1" tsid="2"/></creditAccounts>')
ACCOUNT = filler(
    1,
    2,
    "2003-01-01",
    '<account id="7"><customer>Smith</customer><hole id="2" tsid="4"/>'
    '<hole id="3" tsid="5"/></account>',
)
LIMIT = filler(2, 4, "2003-01-01", "<creditLimit>2000</creditLimit>")
RAISED = filler(2, 4, "2003-06-01", "<creditLimit>5000</creditLimit>")
PIZZA = filler(
    3,
    5,
    "2003-02-01",
    '<transaction><vendor>Pizza</vendor><hole id="4" tsid="7"/>'
    "<amount>38.20</amount></transaction>",
)
STATUS = filler(4, 7, "2003-02-02", "<status>charged</status>")
ALL = (ROOT, ACCOUNT, LIMIT, RAISED, PIZZA, STATUS)


def store(*fillers: Filler) -> FillerStore:
    return FillerStore(STRUCTURE, fillers)
