"""The way through the dashboard over canned data, and what every page must be."""

from __future__ import annotations

from functools import partial

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright is missing: pip install playwright")
from playwright.sync_api import Browser, Page, expect

from tests.dashboard import walk
from tests.dashboard.conftest import LOOKS, looking, shoot
from tests.dashboard.fake_service import TOKEN

pytestmark = pytest.mark.long
ADDRESSES = (
    "",
    "streams",
    "streams/readings",
    "streams/photons/schema",
    "streams/readings/tags",
    "streams/readings/quarantine",
    "subscriptions",
    "subscriptions/vela",
    "subscriptions/vela/query",
    "subscriptions/rxj/plan",
    "write",
    "network",
    "dependencies",
    "tags",
    "tags/steep",
    "history",
)


@pytest.mark.parametrize("look", LOOKS)
def test_the_whole_way(browser: Browser, fake: str, look: str) -> None:
    def seen(page: Page, name: str) -> None:
        shoot(page, f"{look}-{name}")

    with looking(browser, look) as page:
        nothing = partial(page.wait_for_timeout, 300)
        walk.register_with_a_mistake(page, fake, seen)
        walk.watch_results(page, nothing, seen)
        walk.tag_an_item(page, fake, nothing, seen)
        walk.switch_strategies(page, fake, seen)
        walk.move_through_time(page, fake, seen)


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_fits_and_has_names(browser: Browser, fake: str, look: str) -> None:
    with looking(browser, look) as page:
        for address in ADDRESSES:
            # Another part of the same address would leave the page before in sight for a moment.
            page.goto("about:blank")
            page.goto(f"{fake}/#/{address}")
            expect(page.locator("h1")).to_be_visible()
            expect(page.locator(".skeleton")).to_have_count(0)
            shoot(page, f"{look}-page-{address.replace('/', '-') or 'overview'}")
            assert page.evaluate(TOO_WIDE) <= 0, f"{address} is too wide"
            assert page.evaluate(NAMELESS) == [], address
            assert page.evaluate(FAINT) == [], address


def test_everything_is_reached_by_keyboard(fake: str, page: Page) -> None:
    page.goto(f"{fake}/#/")
    expect(page.locator("table").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent"))
    assert {"photons", "vela", "All streams"} <= reached


def test_menu_opens_on_a_small_screen(browser: Browser, fake: str) -> None:
    with looking(browser, "small") as page:
        page.goto(f"{fake}/#/")
        button = page.get_by_role("button", name="Menu")
        expect(page.get_by_role("link", name="Network")).to_be_hidden()
        button.click()
        expect(button).to_have_attribute("aria-expanded", "true")
        shoot(page, "small-menu")
        page.get_by_role("link", name="Network").click()
        expect(page.get_by_role("heading", level=1, name="Network")).to_be_visible()
        expect(button).to_have_attribute("aria-expanded", "false")


def test_token_is_asked_for_where_one_is_needed(guarded_fake: str, page: Page) -> None:
    page.goto(f"{guarded_fake}/#/streams")
    token = page.get_by_label("Token", exact=True)
    token.fill("a guess")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This token is not known")).to_be_visible()
    shoot(page, "light-token")
    page.get_by_label("Token", exact=True).fill(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="photons")).to_be_visible()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    page.goto(f"{guarded_fake}/#/subscriptions/vela")
    expect(page.locator("#results tbody tr").nth(3)).to_be_visible()


def test_quarantine_is_downloaded_and_replayed(fake: str, page: Page) -> None:
    page.goto(f"{fake}/#/streams/readings/quarantine")
    with page.expect_download() as kept:
        page.get_by_role("button", name="Download").click()
    assert kept.value.suggested_filename == "readings-quarantine.jsonl"
    page.get_by_role("button", name="Mend and replay entry 0").click()
    page.get_by_label("Text").fill("<reading><minute>31</minute><level>2.4</level></reading>")
    shoot(page, "light-mend")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_text("Given again")).to_be_visible()


def test_subscription_is_cancelled_after_a_question(fake: str, page: Page) -> None:
    page.goto(f"{fake}/#/subscriptions/rxj")
    page.get_by_role("button", name="Cancel it").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel it").click()
    expect(page.locator(".page-head").get_by_text("Cancelled")).to_be_visible()
    page.goto(f"{fake}/#/subscriptions")
    expect(page.get_by_role("link", name="vela")).to_be_visible()
    expect(page.get_by_role("link", name="rxj")).to_have_count(0)


@pytest.mark.parametrize("address", ["streams/nothing", "subscriptions/nothing", "nowhere"])
def test_what_is_not_there_is_told(fake: str, page: Page, address: str) -> None:
    page.goto(f"{fake}/#/{address}")
    said = page.locator("main")
    expect(said).to_contain_text("There is no" if "/" in address else "leads nowhere")


def test_theme_is_chosen_and_kept(fake: str, page: Page) -> None:
    page.goto(f"{fake}/#/")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(root).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")


TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
NAMELESS = """() => [...document.querySelectorAll(
    'button, a[href], input, select, textarea, [role=button], [role=img]')]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.getAttribute('aria-label') || each.textContent.trim()
    || each.labels?.length || each.getAttribute('aria-labelledby')))
  .map((each) => each.outerHTML.slice(0, 120))"""
FAINT = """() => {
  const channels = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((each) => each / 255)
    .map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll('main *, #shell *')) {
    const own = [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    const style = getComputedStyle(element);
    const written = channels(style.color);
    if (!own || !element.checkVisibility() || element.namespaceURI.endsWith('svg')) continue;
    if (element.disabled || style.color.includes('color(') || written[3] === 0) continue;
    const [one, other] = [light(written), light(behind(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    const said = element.textContent.trim().slice(0, 40);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${said}`);
  }
  return [...new Set(faint)];
}"""
