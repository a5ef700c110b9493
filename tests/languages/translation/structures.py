"""The streams that tests of the translation speak of."""

from __future__ import annotations

from millstream.generators.auction_structure import auction_structure
from millstream.generators.credit import credit_structure
from millstream.languages.xquery.translation import Strategy, translate
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import read_tag_structure

MOVING = read_tag_structure(
    """\
<stream:structure>
  <tag type="snapshot" id="1" name="fleet">
    <tag type="temporal" id="2" name="ship">
      <tag type="snapshot" id="3" name="now"/>
      <tag type="snapshot" id="4" name="hold"><tag type="temporal" id="5" name="crate"/></tag>
      <tag type="temporal" id="6" name="mate"/>
    </tag>
    <tag type="snapshot" id="7" name="port"><tag type="snapshot" id="8" name="mate"/></tag>
  </tag>
</stream:structure>
"""
)
STRUCTURES: dict[str, TagStructure] = {
    "credit": credit_structure(),
    "creditSystem": credit_structure(),
    "auction": auction_structure(),
    "fleet": MOVING,
}


def query(text: str, strategy: str = "qac") -> str:
    """The translated query itself, without the functions it calls and what is around it."""
    found = translate(text, STRUCTURES, Strategy(strategy)).query
    return found.removeprefix("xcql:result(").removesuffix(")")
