"""Readers of one log get every item once and in order, however they come and go."""

from __future__ import annotations

import asyncio
import re

import pytest

from millstream.service import tails
from millstream.service.logs import Cursor
from millstream.service.tails import Tail, Tails
from tests.service.growing_log import GrowingLog


async def read(tail: Tail, after: int, pause: float = 5.0) -> list[int]:
    """All that a reader gets, until the log ends."""
    found: list[int] = []
    async for piece in tail.follow((after,), pause):
        if piece is not None:
            found += [int(each) for each in re.findall(rb"id: (\d+)\n", piece.events)]
            assert piece.position == (found[-1],)
    return found


async def grow(followed: Tails, log: GrowingLog, items: int, by: int = 10) -> None:
    while log.items < items:
        log.items = min(items, log.items + by)
        followed.wake()
        await asyncio.sleep(0)
    log.ended = True
    followed.wake()


def test_many_readers_share_one_reading() -> None:
    log = GrowingLog()

    async def scene() -> list[list[int]]:
        followed = Tails()
        async with followed.tail("n", log) as tail:
            readers = [asyncio.create_task(read(tail, -1)) for _ in range(50)]
            await asyncio.sleep(0.05)
            await grow(followed, log, 200)
            return await asyncio.gather(*readers)

    assert asyncio.run(scene()) == [list(range(200))] * 50
    # As often as there was news, whatever the number of readers.
    assert log.reads <= 30


def test_late_reader_catches_up_and_resumes_anywhere() -> None:
    log = GrowingLog(1500)

    async def scene() -> list[list[int]]:
        followed = Tails()
        async with followed.tail("n", log) as tail:
            readers = [asyncio.create_task(read(tail, after)) for after in (-1, 700, 1498, 1499)]
            await asyncio.sleep(0.05)
            await grow(followed, log, 1600)
            return await asyncio.gather(*readers)

    found = asyncio.run(scene())
    assert found == [list(range(n, 1600)) for n in (0, 701, 1499, 1500)]


def test_slow_reader_goes_back_to_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "KEPT", 20)
    monkeypatch.setattr(tails, "AT_ONCE", 5)
    log = GrowingLog()

    async def slowly(tail: Tail) -> list[int]:
        found: list[int] = []
        async for piece in tail.follow((-1,), 5.0):
            if piece is not None:
                found += [int(each) for each in re.findall(rb"id: (\d+)\n", piece.events)]
                await asyncio.sleep(0.01)
        return found

    async def scene() -> list[list[int]]:
        followed = Tails()
        async with followed.tail("n", log) as tail:
            readers = [asyncio.create_task(slowly(tail)), asyncio.create_task(read(tail, -1))]
            await asyncio.sleep(0.02)
            await grow(followed, log, 500, by=25)
            return await asyncio.gather(*readers)

    assert asyncio.run(scene()) == [list(range(500))] * 2


def test_files_that_are_merged_meanwhile_are_read_again() -> None:
    log = GrowingLog(50)
    log.failing = 4
    cursor = Cursor(log, (-1,))
    found = []
    while taken := cursor.take(10):
        found += [each.position[0] for each in taken]
    assert found == list(range(50))


def test_silence_is_told_and_readers_are_let_go() -> None:
    log = GrowingLog(1)

    async def scene() -> list[object]:
        followed, told = Tails(), []
        async with followed.tail("n", log) as tail:
            async for piece in tail.follow((0,), 0.01):
                told.append(piece)
                if len(told) == 3:
                    followed.close()
            told.append(tail.finished)
        assert followed.readers == 0
        return told

    assert asyncio.run(scene()) == [None, None, None, False]


def test_reader_of_a_broken_log_is_let_go() -> None:
    class Broken(GrowingLog):
        def finished(self) -> bool:
            raise RuntimeError("no such subscription")

    async def scene() -> list[int]:
        async with Tails().tail("n", Broken(3)) as tail:
            return await asyncio.wait_for(read(tail, -1), 5)

    assert asyncio.run(scene()) in ([], [0, 1, 2])


def test_items_that_come_while_a_tail_begins_are_not_missed() -> None:
    async def scene(seed: int) -> list[int]:
        log, followed = GrowingLog(seed), Tails()
        async with followed.tail("n", log) as tail:
            reader = asyncio.create_task(read(tail, -1))
            await grow(followed, log, 40, by=1)
            return await reader

    for seed in range(20):
        assert asyncio.run(scene(seed)) == list(range(40))
