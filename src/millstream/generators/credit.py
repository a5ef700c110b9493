"""Made-up credit accounts: limits that change, charges that happen, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random

from millstream.errors import MillstreamError
from millstream.generators.prose import full_name
from millstream.model.filler import ROOT_ID, Filler, FillerKey, hole_text
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import read_tag_structure
from millstream.model.values import parse_instant

CREDIT_STRUCTURE = """\
<stream:structure>
  <tag type="snapshot" id="1" name="creditAccounts">
    <tag type="temporal" id="2" name="account">
      <tag type="snapshot" id="3" name="customer"/>
      <tag type="temporal" id="4" name="creditLimit"/>
      <tag type="event" id="5" name="transaction">
        <tag type="snapshot" id="6" name="vendor"/>
        <tag type="temporal" id="7" name="status"/>
        <tag type="snapshot" id="8" name="amount"/>
      </tag>
    </tag>
  </tag>
</stream:structure>
"""
ROOT, ACCOUNT, LIMIT, TRANSACTION, STATUS = 1, 2, 4, 5, 7

START = datetime(2003, 1, 1, tzinfo=UTC)
VENDORS = (
    "ABC Inc", "Southlake Pizza", "ResAris Contaceu", "Mill Road Books", "Harbour Fuel",
    "Old Town Grocery", "Northern Rail", "Quick Repair", "Blue Door Hotel", "Garden Supply",
)  # fmt: skip
LIMITS = (1_000, 2_000, 3_000, 5_000, 8_000, 12_000)


def credit_structure() -> TagStructure:
    """The tag structure of credit accounts."""
    return read_tag_structure(CREDIT_STRUCTURE)


@dataclass(frozen=True, slots=True)
class Bank:
    """How many accounts there are, how much is charged to them, and the seed of it all."""

    accounts: int
    transactions: int
    seed: int = 0
    start: datetime = START

    def __post_init__(self) -> None:
        if self.accounts < 1 or self.transactions < 0:
            raise MillstreamError("a bank has at least one account, and no negative transactions")


def document(bank: Bank) -> str:
    """The accounts as they stand at the start, before anything is charged."""
    accounts = "\n".join(
        f'<account id="{_number(account)}"><customer>{_customer(bank, account)}</customer>'
        f"{_limit(_first_limit(bank, account))}</account>"
        for account in range(bank.accounts)
    )
    return f"<creditAccounts>\n{accounts}\n</creditAccounts>\n"


def fillers(bank: Bank) -> Iterator[Filler]:
    """The accounts at the start, and then everything that happens to them, in order of time."""
    yield from _opening(bank)
    yield from _Year(bank).fillers()


def _opening(bank: Bank) -> Iterator[Filler]:
    holes = "\n".join(hole_text(_account_key(account).account) for account in range(bank.accounts))
    yield Filler(ROOT_ID, ROOT, bank.start, f"<creditAccounts>\n{holes}\n</creditAccounts>")
    for account in range(bank.accounts):
        keys = _account_key(account)
        content = (
            f'<account id="{_number(account)}"><customer>{_customer(bank, account)}</customer>'
            f"{hole_text(keys.limit)}{hole_text(keys.transactions)}</account>"
        )
        yield Filler(*keys.account, bank.start, content)
        yield Filler(*keys.limit, bank.start, _limit(_first_limit(bank, account)))


@dataclass(frozen=True, slots=True)
class _AccountKeys:
    account: FillerKey
    limit: FillerKey
    transactions: FillerKey
    """One hole holds all transactions of an account: they are events."""


def _account_key(account: int) -> _AccountKeys:
    first = 1 + 3 * account
    return _AccountKeys(
        FillerKey(first, ACCOUNT), FillerKey(first + 1, LIMIT), FillerKey(first + 2, TRANSACTION)
    )


@dataclass(slots=True)
class _Year:
    """What is still to happen, in order of time."""

    bank: Bank
    due: list[tuple[datetime, int, Filler]] = field(default_factory=list)
    order: Iterator[int] = field(default_factory=count)

    def fillers(self) -> Iterator[Filler]:
        random = Random(f"{self.bank.seed}/year")
        ids = count(1 + 3 * self.bank.accounts)
        time = self.bank.start
        for number in range(self.bank.transactions):
            time += timedelta(seconds=1 + int(random.expovariate(1 / 600)))
            self._charge(random, number, next(ids), time)
            if random.random() < 0.05:
                self._raise_limit(random, time + timedelta(seconds=30))
            yield from self._until(time)
        yield from self._until(None)

    def _charge(self, random: Random, number: int, status: int, time: datetime) -> None:
        keys = _account_key(random.randrange(self.bank.accounts))
        hole = FillerKey(status, STATUS)
        amount = random.expovariate(1 / 120) + 1
        content = (
            f'<transaction id="{10_000 + number}"><vendor>{random.choice(VENDORS)}</vendor>'
            f"{hole_text(hole)}<amount>{amount:.2f}</amount></transaction>"
        )
        self._add(Filler(*keys.transactions, time, content))
        self._follow(random, hole, time)

    def _follow(self, random: Random, hole: FillerKey, time: datetime) -> None:
        """The answer to a charge within a minute; some charges are questioned days later."""
        time += timedelta(seconds=random.randint(1, 60))
        accepted = random.random() < 0.95
        self._status(hole, time, "charged" if accepted else "denied")
        if accepted and random.random() < 0.1:
            time += timedelta(hours=random.randint(1, 240))
            self._status(hole, time, "suspended")
            time += timedelta(hours=random.randint(1, 240))
            self._status(hole, time, random.choice(("charged", "revoked")))

    def _status(self, hole: FillerKey, time: datetime, status: str) -> None:
        self._add(Filler(*hole, time, f"<status>{status}</status>"))

    def _raise_limit(self, random: Random, time: datetime) -> None:
        keys = _account_key(random.randrange(self.bank.accounts))
        self._add(Filler(*keys.limit, time, _limit(random.choice(LIMITS))))

    def _add(self, filler: Filler) -> None:
        heappush(self.due, (filler.valid_time, next(self.order), filler))

    def _until(self, time: datetime | None) -> Iterator[Filler]:
        while self.due and (time is None or self.due[0][0] <= time):
            yield heappop(self.due)[2]


def _number(account: int) -> int:
    return 1_000 + account


def _customer(bank: Bank, account: int) -> str:
    return full_name(Random(f"{bank.seed}/customer/{account}"))


def _first_limit(bank: Bank, account: int) -> int:
    return Random(f"{bank.seed}/limit/{account}").choice(LIMITS)


def _limit(amount: int) -> str:
    return f"<creditLimit>{amount}</creditLimit>"


def example_fillers() -> tuple[Filler, ...]:
    """The account of John Smith with the five fillers of the running example of XCQL.

    Corrected: amounts without a currency sign, and the first of November with two digits.
    """
    return tuple(
        Filler(id, tsid, parse_instant(time), content) for id, tsid, time, content in _EXAMPLE
    )


_EXAMPLE = (
    (0, ROOT, "1998-10-10T12:20:22", '<creditAccounts><hole id="10" tsid="2"/></creditAccounts>'),
    (
        10,
        ACCOUNT,
        "1998-10-10T12:20:22",
        '<account id="1234"><customer> John Smith </customer><hole id="20" tsid="4"/>'
        '<hole id="100" tsid="5"/><hole id="300" tsid="5"/></account>',
    ),
    (20, LIMIT, "1998-10-10T12:20:22", "<creditLimit> 2000 </creditLimit>"),
    (20, LIMIT, "2001-04-23T23:11:08", "<creditLimit> 5000 </creditLimit>"),
    (
        100,
        TRANSACTION,
        "2003-10-23T12:23:34",
        '<transaction id="12345"><vendor> Southlake Pizza </vendor><amount> 38.20 </amount>'
        '<hole id="200" tsid="7"/></transaction>',
    ),
    (200, STATUS, "2003-10-23T12:23:35", "<status> charged </status>"),
    (
        300,
        TRANSACTION,
        "2003-09-10T14:30:12",
        '<transaction id="23456"><vendor> ResAris Contaceu </vendor><amount> 1200 </amount>'
        '<hole id="400" tsid="7"/></transaction>',
    ),
    (400, STATUS, "2003-09-10T14:30:13", "<status> charged </status>"),
    (400, STATUS, "2003-11-01T10:12:56", "<status> suspended </status>"),
)
