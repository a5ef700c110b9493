"""The same way over a mill that turns: readings that keep coming, and a history of accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
from playwright.sync_api import Browser, Page, expect

from millstream.mill import Mill
from millstream.service.app import make_app
from millstream.service.context import Service
from millstream.service.running import RunningMill
from millstream.service.sources import Sources
from millstream.sharing.network import cube
from tests.dashboard import canned, walk
from tests.dashboard.conftest import looking, served, shoot

pytestmark = [pytest.mark.long, pytest.mark.spark]
AT_A_TIME = 6
HIGHER = walk.HIGH.replace("2.0", "2.4")


@dataclass
class Weir:
    """A service, and the folder that its readings come from."""

    address: str
    folder: Path
    written: int = 0

    def flow(self) -> None:
        """Let some more readings come."""
        first, self.written = self.written, self.written + AT_A_TIME
        readings = "".join(canned.reading(each) for each in range(first, self.written))
        place = self.folder / f"readings-{first:05}.xml"
        unseen = place.with_name(f".{place.name}")
        unseen.write_text(f"<readings>{readings}</readings>")
        unseen.rename(place)


@pytest.fixture
def weir(tmp_path: Path) -> Iterator[Weir]:
    readings, credit = tmp_path / "readings", tmp_path / "credit"
    readings.mkdir()
    credit.mkdir()
    (credit / "fillers-00001.xml").write_text("\n".join(canned.fillers()))
    begun = Weir("", readings)
    begun.flow()
    with Mill(tmp_path / "space", network=cube()) as mill:
        mill.create_stream(
            "readings", readings / "*.xml", order_by="minute", key="minute", peer="SP4", rate=4
        )
        mill.create_stream("credit", credit, schema=canned.STRUCTURE + "\n")
        service = Service(RunningMill(mill), sources=Sources([str(tmp_path)]))
        with served(make_app(service)) as begun.address:
            yield begun


def test_the_whole_way_over_a_mill(weir: Weir, browser: Browser) -> None:
    def seen(page: Page, name: str) -> None:
        shoot(page, f"real-{name}")

    with looking(browser) as page:
        walk.register_with_a_mistake(page, weir.address, seen)
        walk.watch_results(page, weir.flow, seen)
        reuse_what_flows(page, weir, seen)
        walk.tag_an_item(page, weir.address, weir.flow, seen)
        walk.switch_strategies(page, weir.address, seen)
        walk.move_through_time(page, weir.address, seen)
        ask_by_tag(page, weir, seen)
    for look in ("dark", "small"):
        with looking(browser, look) as page:
            look_around(page, weir.address, look)


PAGES = ("", "streams/readings", "subscriptions/high", "subscriptions/higher/plan", "network")


def look_around(page: Page, address: str, look: str) -> None:
    """The pages that have something to show by then, as others see them."""
    for each in (*PAGES, "tags", "history/credit"):
        page.goto("about:blank")
        page.goto(f"{address}/#/{each}")
        expect(page.locator("h1")).to_be_visible(timeout=walk.SLOW)
        expect(page.locator(".skeleton")).to_have_count(0, timeout=walk.SLOW)
        page.wait_for_timeout(500)
        shoot(page, f"real-{look}-{each.replace('/', '-') or 'overview'}")


def reuse_what_flows(page: Page, weir: Weir, seen: walk.Shoot) -> None:
    """A second subscription is made from the first, and its page says why."""
    page.goto(f"{weir.address}/#/write")
    query = page.get_by_label("Query", exact=True)
    expect(query).to_have_value(re.compile("stream"))
    query.fill(HIGHER)
    page.get_by_label("Name", exact=True).fill("higher")
    page.get_by_label("Results at").select_option("SP3")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1, name="higher")).to_be_visible(timeout=walk.SLOW)
    page.get_by_role("link", name="Plan and cost").click()
    expect(page.get_by_text("Why it can be reused")).to_be_visible(timeout=walk.SLOW)
    expect(page.locator("#saves")).to_contain_text("Data shipping")
    seen(page, "plan")
    page.goto(f"{weir.address}/#/dependencies")
    expect(page.get_by_text("higher is made from high")).to_be_visible()
    seen(page, "dependencies")


def ask_by_tag(page: Page, weir: Weir, seen: walk.Shoot) -> None:
    """A query in the language of tags, over what was tagged before."""
    page.goto(f"{weir.address}/#/write?stream=readings")
    page.get_by_text("TAG-QL").click()
    query = page.get_by_label("Query", exact=True)
    expect(query).to_have_value(re.compile("SELECT"))
    query.fill("SELECT * FROM readings\nWHERE TAG = 'rushing'\nWITH TAGS")
    page.get_by_label("Name", exact=True).fill("rushed")
    page.get_by_role("button", name="Dry run").click()
    expect(page.locator("#dry-run")).to_be_visible(timeout=walk.SLOW)
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1, name="rushed")).to_be_visible(timeout=walk.SLOW)
    weir.flow()
    expect(page.locator("#results tbody tr").first).to_be_visible(timeout=walk.SLOW)
    seen(page, "tag-query")
