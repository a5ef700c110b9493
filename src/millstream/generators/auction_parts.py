"""Items, people and auctions, made up one by one: the n-th is the same in every document."""

from __future__ import annotations

from random import Random

from millstream.generators.auction_market import Market
from millstream.generators.part import Part
from millstream.generators.prose import (
    CITIES,
    COUNTRIES,
    DOMAINS,
    PROVINCES,
    full_name,
    marked_text,
    mostly_first,
    subset,
    surname,
    words,
)

_TEXT_WORDS = 86.0
_PAYMENTS = ("Money order", "Creditcard", "Personal Check", "Cash")
_SHIPPING = (
    "Will ship only within country",
    "Will ship internationally",
    "Buyer pays fixed shipping charges",
    "See description for charges",
)
_TYPES = ("Regular", "Featured", "Regular, Dutch", "Featured, Dutch")
_EDUCATION = ("High School", "College", "Graduate School", "Other")


def item(market: Market, number: int, region: str) -> Part:
    """An item for sale."""
    random = market.random("item", number)
    featured = ' featured="yes"' if random.random() < 0.1 else ""
    categories = "".join(
        f'<incategory category="category{random.randrange(market.categories)}"/>\n'
        for _ in range(min(10, 1 + int(random.expovariate(1 / 2.8))))
    )
    mails = "".join(_mail(random) for _ in range(int(random.expovariate(1 / 1.45))))
    text = (
        f'<item id="item{number}"{featured}>\n'
        f"<location>{mostly_first(random, COUNTRIES)}</location>\n"
        f"<quantity>{_quantity(random)}</quantity>\n"
        f"<name>{' '.join(words(random, 1.5))} </name>\n"
        f"<payment>{subset(random, _PAYMENTS)}</payment>\n"
        f"{_description(random)}"
        f"<shipping>{subset(random, _SHIPPING)}</shipping>\n"
        f"{categories}<mailbox>\n{mails}</mailbox>\n</item>"
    )
    return Part(("site", "regions", region, "item"), [text])


def category(market: Market, number: int) -> Part:
    """A category of items."""
    random = market.random("category", number)
    text = (
        f'<category id="category{number}">\n<name>{" ".join(words(random, 2))} </name>\n'
        f"{_description(random)}</category>"
    )
    return Part(("site", "categories", "category"), [text])


def edge(market: Market, number: int) -> str:
    """A relation between two categories."""
    random = market.random("edge", number)
    one, other = (random.randrange(market.categories) for _ in range(2))
    return f'<edge from="category{one}" to="category{other}"/>'


def person(market: Market, number: int) -> Part:
    """A person, half of them with a profile."""
    random = market.random("person", number)
    name, domain = full_name(random), random.choice(DOMAINS)
    family = name.split()[-1]
    head = [
        f'<person id="person{number}">\n<name>{name}</name>\n',
        f"<emailaddress>mailto:{family}@{domain}</emailaddress>\n",
    ]
    if random.random() < 0.5:
        head.append(f"<phone>+0 ({random.randrange(1000)}) {random.randrange(10**8)}</phone>\n")
    if random.random() < 0.5:
        head.append(_address(random))
    if random.random() < 0.5:
        head.append(f"<homepage>http://www.{domain}/~{family}</homepage>\n")
    if random.random() < 0.5:
        head.append(f"<creditcard>{_card(random)}</creditcard>\n")
    content: list[str | Part] = ["".join(head)]
    if random.random() < 0.52:
        content += [profile(market, random), "\n"]
    tail = _watches(market, random) if random.random() < 0.52 else ""
    return Part(("site", "people", "person"), [*content, f"{tail}</person>"])


def profile(market: Market, random: Random) -> Part:
    """What a person says about themselves."""
    income = max(9_876.0, random.gauss(42_000, 30_000))
    lines = [f'<profile income="{income:.2f}">']
    lines += [
        f'<interest category="category{random.randrange(market.categories)}"/>'
        for _ in range(int(random.expovariate(1 / 3.4)))
    ]
    if random.random() < 0.5:
        lines.append(f"<education>{random.choice(_EDUCATION)}</education>")
    if random.random() < 0.5:
        lines.append(f"<gender>{random.choice(('male', 'female'))}</gender>")
    lines.append(f"<business>{_yes_or_no(random)}</business>")
    if random.random() < 0.5:
        lines.append(f"<age>{max(18, int(random.gauss(30, 14)))}</age>")
    return Part(("site", "people", "person", "profile"), ["\n".join((*lines, "</profile>"))])


def open_auction(market: Market, number: int, item_number: int | None = None) -> Part:
    """An auction that goes on; its bidders and its price are parts of it."""
    random = market.random("open_auction", number)
    initial = random.expovariate(1 / 96)
    item_number = market.auctioned_item(number) if item_number is None else item_number
    content: list[str | Part] = [
        f'<open_auction id="open_auction{number}">\n<initial>{initial:.2f}</initial>\n'
    ]
    if random.random() < 0.5:
        content.append(f"<reserve>{initial * (1 + random.expovariate(0.4)):.2f}</reserve>\n")
    price = initial
    for _ in range(int(random.expovariate(1 / 5.5))):
        increase = _increase(random)
        price += increase
        content += [bidder(market, random, increase), "\n"]
    content += [current(price), "\n", _auction_tail(market, random, item_number)]
    return Part(("site", "open_auctions", "open_auction"), content)


def bidder(market: Market, random: Random, increase: float) -> Part:
    """A bid."""
    text = (
        f"<bidder>\n<date>{_date(random)}</date>\n<time>{_time(random)}</time>\n"
        f"<personref person={_somebody(market, random)}/>\n"
        f"<increase>{increase:.2f}</increase>\n</bidder>"
    )
    return Part(("site", "open_auctions", "open_auction", "bidder"), [text])


def current(price: float) -> Part:
    """The price of an auction so far."""
    return Part(
        ("site", "open_auctions", "open_auction", "current"), [f"<current>{price:.2f}</current>"]
    )


def closed_auction(
    market: Market, number: int, *, item_number: int | None = None, price: float | None = None
) -> Part:
    """An auction that is over."""
    random = market.random("closed_auction", number)
    if item_number is None:
        item_number = market.auctioned_item(market.open_auctions + number)
    paid = random.expovariate(1 / 100) if price is None else price
    text = (
        f"<closed_auction>\n<seller person={_somebody(market, random)}/>\n"
        f'<buyer person={_somebody(market, random)}/>\n<itemref item="item{item_number}"/>\n'
        f"<price>{paid:.2f}</price>\n<date>{_date(random)}</date>\n"
        f"<quantity>{_quantity(random)}</quantity>\n<type>{_type(random)}</type>\n"
        f"{_annotation(market, random)}</closed_auction>"
    )
    return Part(("site", "closed_auctions", "closed_auction"), [text])


def _auction_tail(market: Market, random: Random, item_number: int) -> str:
    privacy = f"<privacy>{_yes_or_no(random)}</privacy>\n" if random.random() < 0.5 else ""
    return (
        f'{privacy}<itemref item="item{item_number}"/>\n'
        f"<seller person={_somebody(market, random)}/>\n{_annotation(market, random)}"
        f"<quantity>{_quantity(random)}</quantity>\n<type>{_type(random)}</type>\n"
        f"<interval>\n<start>{_date(random)}</start>\n<end>{_date(random)}</end>\n</interval>\n"
        "</open_auction>"
    )


def _annotation(market: Market, random: Random) -> str:
    return (
        f"<annotation>\n<author person={_somebody(market, random)}/>\n{_description(random)}"
        f"<happiness>{random.randint(1, 10)}</happiness>\n</annotation>\n"
    )


def _description(random: Random) -> str:
    inside = _list(random, 2) if random.random() < 0.29 else _text(random)
    return f"<description>\n{inside}</description>\n"


def _list(random: Random, depth: int) -> str:
    items = []
    for _ in range(random.choice((2, 2, 2, 3, 3, 3, 4, 5))):
        nested = depth > 1 and random.random() < 0.21
        inside = _list(random, depth - 1) if nested else _text(random)
        items.append(f"<listitem>\n{inside}</listitem>\n")
    return f"<parlist>\n{''.join(items)}</parlist>\n"


def _text(random: Random) -> str:
    return f"<text>\n{marked_text(random, _TEXT_WORDS)}\n</text>\n"


def _mail(random: Random) -> str:
    sender, receiver = (
        f"{full_name(random)} mailto:{surname(random)}@{random.choice(DOMAINS)}" for _ in range(2)
    )
    return (
        f"<mail>\n<from>{sender}</from>\n<to>{receiver}</to>\n<date>{_date(random)}</date>\n"
        f"{_text(random)}</mail>\n"
    )


def _address(random: Random) -> str:
    country = mostly_first(random, COUNTRIES)
    province = f"<province>{random.choice(PROVINCES)}</province>\n" if random.random() < 0.5 else ""
    return (
        f"<address>\n<street>{random.randint(1, 99)} {surname(random)} St</street>\n"
        f"<city>{random.choice(CITIES)}</city>\n<country>{country}</country>\n"
        f"{province}<zipcode>{random.randint(1, 40)}</zipcode>\n</address>\n"
    )


def _watches(market: Market, random: Random) -> str:
    watched = "".join(
        f'<watch open_auction="open_auction{random.randrange(market.open_auctions)}"/>\n'
        for _ in range(int(random.expovariate(1 / 4.2)))
    )
    return f"<watches>\n{watched}</watches>\n"


def _somebody(market: Market, random: Random) -> str:
    return f'"person{random.randrange(market.people)}"'


def _increase(random: Random) -> float:
    return 1.5 * (1 + int(random.expovariate(1 / 10)))


def _quantity(random: Random) -> int:
    return 1 + (random.random() < 0.08) + (random.random() < 0.01)


def _type(random: Random) -> str:
    return random.choice(_TYPES[:2]) if random.random() < 0.96 else random.choice(_TYPES[2:])


def _yes_or_no(random: Random) -> str:
    return random.choice(("Yes", "No"))


def _card(random: Random) -> str:
    return " ".join(f"{random.randrange(10_000):04}" for _ in range(4))


def _date(random: Random) -> str:
    return f"{random.randint(1, 12):02}/{random.randint(1, 28):02}/{random.randint(1998, 2001)}"


def _time(random: Random) -> str:
    return f"{random.randrange(24):02}:{random.randrange(60):02}:{random.randrange(60):02}"
