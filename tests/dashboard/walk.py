"""One way through the dashboard, the same for a fake service and for a real one."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

HIGH = """<high>
  { for $r in stream("readings")/readings/reading
    where $r/level >= 2.0
    return <alarm> { $r/minute } { $r/level } </alarm> }
</high>"""
MISTAKEN = HIGH.replace("$r/level >=", "$r/levl >=")
Shoot = Callable[[Page, str], None]
SLOW = 60_000
"""Milliseconds that a step of a busy machine may take."""


def register_with_a_mistake(page: Page, address: str, shoot: Shoot) -> None:
    """Write a wrong query, see where it is wrong, mend it there, try it, register it."""
    page.goto(f"{address}/#/write?stream=readings")
    query = page.get_by_label("Query", exact=True)
    expect(query).to_have_value(re.compile(r'stream\("readings"\)/readings/reading'))
    query.fill(MISTAKEN)
    page.get_by_role("button", name="Dry run").click()
    fault = page.locator("#fault")
    expect(fault).to_contain_text("Line 3, column 14")
    expect(fault).to_contain_text("reading/levl")
    expect(fault).to_contain_text("id you mean 'level'")
    expect(page.locator(".editor mark")).to_have_text("levl")
    expect(page.locator(".gutter .faulty")).to_have_text("3")
    expect(query).to_have_attribute("aria-invalid", "true")
    shoot(page, "mistake")
    fault.get_by_role("button", name="Go to the place").click()
    page.keyboard.type("level")
    expect(query).to_have_value(HIGH)
    expect(page.locator(".editor mark")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#dry-run")).to_contain_text("What it would reuse, and why", timeout=SLOW)
    shoot(page, "dry-run")
    assert page.request.get(f"{address}/v1/subscriptions/high").status == 404
    page.get_by_label("Name", exact=True).fill("high")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1, name="high")).to_be_visible(timeout=SLOW)


def watch_results(page: Page, more: Callable[[], None], shoot: Shoot) -> None:
    """Results arrive by themselves, and their numbers are drawn."""
    rows = page.locator("#results tbody tr")
    more()
    expect(rows.nth(1)).to_be_visible(timeout=SLOW)
    expect(page.locator("#results")).to_contain_text("Live")
    first = int(rows.first.locator("td").first.inner_text())
    more()
    newer = re.compile("|".join(rf"^{each}$" for each in range(first + 1, first + 40)))
    expect(rows.first.locator("td").first).to_have_text(newer, timeout=SLOW)
    expect(page.locator("#plot svg")).to_have_attribute("aria-label", re.compile("points"))
    shoot(page, "results")


def tag_an_item(page: Page, address: str, more: Callable[[], None], shoot: Shoot) -> None:
    """Attach a tag, see it in the cloud, on the next items, and go on from it."""
    page.goto(f"{address}/#/streams/readings/tags")
    page.get_by_label("What it says").fill("rushing")
    page.get_by_label("On", exact=True).select_option("level")
    page.get_by_label("For", exact=True).select_option("2 h")
    page.get_by_label("Speaks").select_option("-")
    page.get_by_role("button", name="Attach").click()
    expect(page.get_by_text("it enters with the next step")).to_be_visible()
    more()
    expect(page.locator(".cloud").get_by_text("rushing")).to_be_visible(timeout=SLOW)
    shoot(page, "tags")
    page.get_by_role("link", name="Items", exact=True).click()
    chip = page.locator("td .chip", has_text="rushing").first
    expect(chip).to_be_visible(timeout=SLOW)
    expect(chip).to_contain_text("on level")
    shoot(page, "items")
    chip.click()
    expect(page.locator("#objects")).to_contain_text("readings", timeout=SLOW)
    expect(page.locator("#objects")).to_contain_text("level")
    shoot(page, "tag")


def switch_strategies(page: Page, address: str, shoot: Shoot) -> None:
    """The network with links coloured by load; by keyboard to the other strategies."""
    page.goto(f"{address}/#/network")
    network = page.locator("#network")
    expect(network.get_by_text("Running")).to_be_visible(timeout=SLOW)
    shared = network.locator(".link-label").all_inner_texts()
    page.get_by_role("radio", name="Sharing").focus()
    page.keyboard.press("ArrowRight")
    expect(network.get_by_text("Planned only")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Data shipping")).to_be_checked()
    assert network.locator(".link-label").all_inner_texts() != shared
    link = network.locator(".link-hit").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Carries")).to_be_visible()
    shoot(page, "network")


def move_through_time(page: Page, address: str, shoot: Shoot) -> None:
    """The slider over versions shows what changed, and what the document was."""
    page.goto(f"{address}/#/history/credit")
    instant, answer = page.locator("#instant"), page.locator("#answer")
    expect(instant).to_have_text("2004-02-01 09:00:00", timeout=SLOW)
    expect(answer).to_contain_text("6500", timeout=SLOW)
    page.get_by_label("Version", exact=True).focus()
    page.keyboard.press("Home")
    expect(instant).to_have_text("1998-10-10 12:20:22")
    expect(answer).to_contain_text("2000", timeout=SLOW)
    page.get_by_role("button", name="The next version").click()
    expect(page.locator("#changes")).to_contain_text("5000")
    expect(answer).to_contain_text("5000", timeout=SLOW)
    shoot(page, "history")
