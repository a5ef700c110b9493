"""The streams that the tests of lowering read: their schemas and a few items."""

from __future__ import annotations

from collections.abc import Sequence

from millstream.errors import QueryError, did_you_mean
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType

INTEGER, DECIMAL, DOUBLE = ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE
TIME, TEXT = ValueType.TIME, ValueType.TEXT


def leaf(name: str, type: ValueType, occurs: Occurs = Occurs.ONE) -> Element:
    return Element(name, occurs, Content.LEAF, type=type)


def nested(
    name: str,
    *children: Element,
    occurs: Occurs = Occurs.ONE,
    attributes: tuple[Attribute, ...] = (),
) -> Element:
    return Element(name, occurs, Content.NESTED, children, attributes)


PHOTONS = Schema(
    "photons",
    nested(
        "photon",
        nested(
            "coord",
            nested("cel", leaf("ra", DECIMAL), leaf("dec", DECIMAL)),
            nested("det", leaf("dx", INTEGER), leaf("dy", INTEGER)),
        ),
        leaf("phc", INTEGER),
        leaf("en", DECIMAL),
        leaf("det_time", INTEGER),
    ),
)
DATA = Schema("a", nested("b", leaf("c", INTEGER), leaf("d", TEXT, Occurs.OPTIONAL)))
SKY = Schema(
    "sky",
    nested(
        "source",
        leaf("name", TEXT),
        leaf("seen", TIME, Occurs.OPTIONAL),
        nested(
            "obs",
            leaf("flux", DOUBLE),
            leaf("band", TEXT, Occurs.OPTIONAL),
            occurs=Occurs.MANY,
            attributes=(Attribute("id", INTEGER), Attribute("by")),
        ),
        nested("site", leaf("name", TEXT), occurs=Occurs.OPTIONAL),
        attributes=(Attribute("id"),),
    ),
)
LETTERS = Schema(
    "letters", nested("letter", leaf("to", TEXT), Element("body", Occurs.ONE, Content.RAW))
)

PHOTON_ITEMS = (
    "<photon><coord><cel><ra>121.5</ra><dec>-45.0</dec></cel><det><dx>1</dx><dy>2</dy></det>"
    "</coord><phc>7</phc><en>1.30</en><det_time>1</det_time></photon>",
    "<photon><coord><cel><ra>131.0</ra><dec>-46.5</dec></cel><det><dx>3</dx><dy>4</dy></det>"
    "</coord><phc>9</phc><en>0.90</en><det_time>5</det_time></photon>",
)
SKY_ITEMS = (
    '<source id="s1"><name>Vela &amp; co</name><seen>2003-11-01</seen>'
    '<obs id="7" by="kit"><flux>1.5</flux><band>r</band></obs>'
    '<obs id="8"><flux>2.5</flux></obs><obs id="9"><flux>9</flux><band>g</band></obs></source>',
    '<source id="s2"><name> Crab </name><obs id="9"><flux>9</flux><band>r</band></obs>'
    "<site><name>north</name></site></source>",
    "<source><name>RXJ</name></source>",
)


class Streams:
    """A catalog of the streams above."""

    def __init__(self) -> None:
        self._schemas = {"photons": PHOTONS, "data.xml": DATA, "sky": SKY, "letters": LETTERS}

    def schema(self, stream_name: str, /) -> Schema:
        if stream_name not in self._schemas:
            raise QueryError(
                f"there is no stream '{stream_name}'", help=did_you_mean(stream_name, self._schemas)
            )
        return self._schemas[stream_name]

    def names(self) -> Sequence[str]:
        return tuple(self._schemas)
