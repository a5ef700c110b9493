"""What an auction site looks like: its DTD, and its tag structure as a history."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count

from millstream.model.tag_structure import Tag, TagStructure, TagType

REGIONS = ("africa", "asia", "australia", "europe", "namerica", "samerica")

AUCTIONS_DTD = """\
<!ELEMENT site (regions, categories, catgraph, people, open_auctions, closed_auctions)>
<!ELEMENT regions (africa, asia, australia, europe, namerica, samerica)>
<!ELEMENT africa (item*)>
<!ELEMENT asia (item*)>
<!ELEMENT australia (item*)>
<!ELEMENT europe (item*)>
<!ELEMENT namerica (item*)>
<!ELEMENT samerica (item*)>
<!ELEMENT item (location, quantity, name, payment, description, shipping, incategory+, mailbox)>
<!ATTLIST item id ID #REQUIRED featured CDATA #IMPLIED>
<!ELEMENT location (#PCDATA)>
<!ELEMENT quantity (#PCDATA)>
<!ELEMENT name (#PCDATA)>
<!ELEMENT payment (#PCDATA)>
<!ELEMENT description (text | parlist)>
<!ELEMENT text (#PCDATA | bold | keyword | emph)*>
<!ELEMENT bold (#PCDATA | bold | keyword | emph)*>
<!ELEMENT keyword (#PCDATA | bold | keyword | emph)*>
<!ELEMENT emph (#PCDATA | bold | keyword | emph)*>
<!ELEMENT parlist (listitem*)>
<!ELEMENT listitem (text | parlist)*>
<!ELEMENT shipping (#PCDATA)>
<!ELEMENT incategory EMPTY>
<!ATTLIST incategory category IDREF #REQUIRED>
<!ELEMENT mailbox (mail*)>
<!ELEMENT mail (from, to, date, text)>
<!ELEMENT from (#PCDATA)>
<!ELEMENT to (#PCDATA)>
<!ELEMENT date (#PCDATA)>
<!ELEMENT categories (category*)>
<!ELEMENT category (name, description)>
<!ATTLIST category id ID #REQUIRED>
<!ELEMENT catgraph (edge*)>
<!ELEMENT edge EMPTY>
<!ATTLIST edge from IDREF #REQUIRED to IDREF #REQUIRED>
<!ELEMENT people (person*)>
<!ELEMENT person (name, emailaddress, phone?, address?, homepage?, creditcard?, profile?, watches?)>
<!ATTLIST person id ID #REQUIRED>
<!ELEMENT emailaddress (#PCDATA)>
<!ELEMENT phone (#PCDATA)>
<!ELEMENT address (street, city, country, province?, zipcode)>
<!ELEMENT street (#PCDATA)>
<!ELEMENT city (#PCDATA)>
<!ELEMENT country (#PCDATA)>
<!ELEMENT province (#PCDATA)>
<!ELEMENT zipcode (#PCDATA)>
<!ELEMENT homepage (#PCDATA)>
<!ELEMENT creditcard (#PCDATA)>
<!ELEMENT profile (interest*, education?, gender?, business, age?)>
<!ATTLIST profile income CDATA #IMPLIED>
<!ELEMENT interest EMPTY>
<!ATTLIST interest category IDREF #REQUIRED>
<!ELEMENT education (#PCDATA)>
<!ELEMENT gender (#PCDATA)>
<!ELEMENT business (#PCDATA)>
<!ELEMENT age (#PCDATA)>
<!ELEMENT watches (watch*)>
<!ELEMENT watch EMPTY>
<!ATTLIST watch open_auction IDREF #REQUIRED>
<!ELEMENT open_auctions (open_auction*)>
<!ELEMENT open_auction (initial, reserve?, bidder*, current, privacy?, itemref, seller, annotation,
  quantity, type, interval)>
<!ATTLIST open_auction id ID #REQUIRED>
<!ELEMENT initial (#PCDATA)>
<!ELEMENT reserve (#PCDATA)>
<!ELEMENT bidder (date, time, personref, increase)>
<!ELEMENT time (#PCDATA)>
<!ELEMENT personref EMPTY>
<!ATTLIST personref person IDREF #REQUIRED>
<!ELEMENT increase (#PCDATA)>
<!ELEMENT current (#PCDATA)>
<!ELEMENT privacy (#PCDATA)>
<!ELEMENT itemref EMPTY>
<!ATTLIST itemref item IDREF #REQUIRED>
<!ELEMENT seller EMPTY>
<!ATTLIST seller person IDREF #REQUIRED>
<!ELEMENT annotation (author, description?, happiness)>
<!ELEMENT author EMPTY>
<!ATTLIST author person IDREF #REQUIRED>
<!ELEMENT happiness (#PCDATA)>
<!ELEMENT type (#PCDATA)>
<!ELEMENT interval (start, end)>
<!ELEMENT start (#PCDATA)>
<!ELEMENT end (#PCDATA)>
<!ELEMENT closed_auctions (closed_auction*)>
<!ELEMENT closed_auction (seller, buyer, itemref, price, date, quantity, type, annotation?)>
<!ELEMENT buyer EMPTY>
<!ATTLIST buyer person IDREF #REQUIRED>
<!ELEMENT price (#PCDATA)>
"""

TEMPORAL = (
    "item",
    "category",
    "people",
    "person",
    "profile",
    "open_auctions",
    "open_auction",
    "bidder",
    "current",
    "closed_auctions",
    "closed_auction",
)
"""The elements that have versions.

Lists that grow and shrink are among them, so that the root, which is large, is sent once.
"""

_INLINE = ("bold", "keyword", "emph")
_LISTS = 2


@dataclass(frozen=True, slots=True)
class _Element:
    """An element before it has an id."""

    name: str
    children: tuple[_Element, ...] = ()


@cache
def auction_structure() -> TagStructure:
    """The tag structure of an auction site, as deep as lists and marks are nested in it.

    The DTD unfolds to many times as many tags, since it does not say how deep they are.
    """
    ids = count(1)

    def numbered(element: _Element) -> Tag:
        id = next(ids)
        type = TagType.TEMPORAL if element.name in TEMPORAL else TagType.SNAPSHOT
        return Tag(id, element.name, type, tuple(numbered(child) for child in element.children))

    return TagStructure(numbered(_site()))


def _site() -> _Element:
    return _holding(
        "site",
        _holding("regions", *(_holding(region, _item()) for region in REGIONS)),
        _holding("categories", _holding("category", _leaf("name"), _description())),
        _holding("catgraph", _leaf("edge")),
        _holding("people", _person()),
        _holding("open_auctions", _open_auction()),
        _holding("closed_auctions", _closed_auction()),
    )


def _item() -> _Element:
    mail = _holding("mail", *_leaves("from to date"), _text())
    return _holding(
        "item",
        *_leaves("location quantity name payment"),
        _description(),
        *_leaves("shipping incategory"),
        _holding("mailbox", mail),
    )


def _person() -> _Element:
    return _holding(
        "person",
        *_leaves("name emailaddress phone"),
        _holding("address", *_leaves("street city country province zipcode")),
        *_leaves("homepage creditcard"),
        _holding("profile", *_leaves("interest education gender business age")),
        _holding("watches", _leaf("watch")),
    )


def _open_auction() -> _Element:
    return _holding(
        "open_auction",
        *_leaves("initial reserve"),
        _holding("bidder", *_leaves("date time personref increase")),
        *_leaves("current privacy itemref seller"),
        _annotation(),
        *_leaves("quantity type"),
        _holding("interval", *_leaves("start end")),
    )


def _closed_auction() -> _Element:
    leaves = _leaves("seller buyer itemref price date quantity type")
    return _holding("closed_auction", *leaves, _annotation())


def _annotation() -> _Element:
    return _holding("annotation", _leaf("author"), _description(), _leaf("happiness"))


def _description() -> _Element:
    return _holding("description", _text(), _list(_LISTS))


def _list(depth: int) -> _Element:
    inner = (_list(depth - 1),) if depth > 1 else ()
    return _holding("parlist", _holding("listitem", _text(), *inner))


def _text() -> _Element:
    marks = (
        _holding(name, *(_leaf(inner) for inner in _INLINE if inner != name)) for name in _INLINE
    )
    return _holding("text", *marks)


def _holding(name: str, *children: _Element) -> _Element:
    return _Element(name, children)


def _leaf(name: str) -> _Element:
    return _Element(name)


def _leaves(names: str) -> tuple[_Element, ...]:
    return tuple(_Element(name) for name in names.split())
