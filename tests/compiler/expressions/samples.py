"""A schema with every kind of element, and items clean and dirty."""

from __future__ import annotations

from millstream.algebra.expressions import Expression, PathTo, Step
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType

INTEGER, DECIMAL, DOUBLE = ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE
TIME, TEXT = ValueType.TIME, ValueType.TEXT
MANY, OPTIONAL = Occurs.MANY, Occurs.OPTIONAL


def leaf(name: str, type: ValueType, occurs: Occurs = Occurs.ONE) -> Element:
    return Element(name, occurs, type=type)


def nested(name: str, *children: Element, occurs: Occurs = Occurs.ONE) -> Element:
    return Element(name, occurs, Content.NESTED, children)


READING = Element(
    "reading",
    MANY,
    Content.NESTED,
    (leaf("value", DECIMAL), leaf("quality", INTEGER, OPTIONAL), leaf("flag", TEXT, MANY)),
    (Attribute("unit"),),
)
PHOTON = Element(
    "photon",
    content=Content.NESTED,
    attributes=(Attribute("id"), Attribute("n", INTEGER)),
    children=(
        leaf("phc", INTEGER),
        nested("coord", nested("cel", leaf("ra", DECIMAL), leaf("dec", DECIMAL)), occurs=OPTIONAL),
        leaf("en", DECIMAL, OPTIONAL),
        leaf("flux", DOUBLE, OPTIONAL),
        leaf("at", TIME, OPTIONAL),
        leaf("until", TIME, OPTIONAL),
        leaf("note", TEXT, OPTIONAL),
        leaf("size", INTEGER, MANY),
        leaf("tag", TEXT, MANY),
        leaf("day", TIME, MANY),
        READING,
        Element("mark", OPTIONAL, attributes=(Attribute("by"),), type=INTEGER),
        Element("raw", OPTIONAL, Content.RAW, attributes=(Attribute("k"),)),
        Element("nothing", OPTIONAL, Content.NESTED),
    ),
)
SCHEMA = Schema("photons", PHOTON)

FULL = """<photon id="a&quot;1" n="7"><phc>24</phc>
<coord><cel><ra>130.50</ra><dec>-45.0</dec></cel></coord><en>1.30</en><flux>2.5e-7</flux>
<at>2003-11-01T10:00:00Z</at><until>2003-11-01T12:00:00+02:00</until><note> a &lt; b &amp; c </note>
<size>3</size><size>10</size><size>3</size><tag>x</tag><tag>y &amp; z</tag><tag/>
<day>2003-11-02</day><day>2003-11-01T24:00:00</day><day>2003-10-31</day>
<reading unit="keV"><value>1.10</value><quality>1</quality><flag>f</flag><flag>g</flag></reading>
<reading><value>2.2</value></reading>
<reading unit="eV"><value>0.7</value><quality>3</quality><flag>g</flag></reading>
<mark by="me">5</mark><raw k="1">some <b>bold</b> text<i/></raw><nothing/></photon>"""

SPARE = "<photon><phc>0</phc></photon>"

DIRTY = """<photon id="" n="x"><phc>many</phc><coord><cel><ra>INF</ra><dec>1e3</dec></cel></coord>
<en></en><flux>NaN</flux><at>10:30</at><until>2003</until><note>12</note>
<size>1.5</size><size> 4 </size><size>99999999999999999999</size><tag> x </tag><tag>7</tag>
<day>yesterday</day><day>2003-11-1</day><day>2003-11-01T10:00+0200</day>
<reading unit="&lt;"><value>1d</value><quality>0x1p3</quality></reading>
<reading><value>3</value><quality/></reading><mark>1f</mark><raw>&amp;</raw></photon>"""

EXTREME = """<photon id="z" n="-9223372036854775808"><phc>-9223372036854775808</phc>
<coord/><en>-0.000000000000000001</en><flux>-INF</flux><at>0001-01-01</at>
<until>9999-12-31T23:59:59.999999Z</until><note></note><size>-1</size><tag>é𝄞</tag>
<reading><value>12345678901234567.000000000000000001</value></reading>
<reading><value>-12345678901234567</value></reading><mark by="">-3</mark></photon>"""

ITEMS = (FULL, SPARE, DIRTY, EXTREME)


def path(text: str, variable: str = "p") -> PathTo:
    """A path without predicates."""
    return PathTo(variable, tuple(Step(name) for name in text.split("/") if name))


def step(name: str, *predicates: Expression) -> Step:
    return Step(name, predicates)
