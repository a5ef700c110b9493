"""The network as a picture: peers on a ring, links coloured by how much of them is used."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol
from xml.sax.saxutils import escape, quoteattr

SIZE, RADIUS, NODE = 640.0, 250.0, 28.0
_COLOURS = (
    (0.0, "#a0aec0"),
    (1e-9, "#2f855a"),
    (0.25, "#b7791f"),
    (0.6, "#c05621"),
    (0.9, "#c53030"),
)
"""From which share on a link or peer has which colour."""
STYLE = """\
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1a202c; text-anchor: middle; }
rect.page { fill: #ffffff; }
circle { fill: #ffffff; stroke-width: 3; }
line { stroke-linecap: round; }"""


class UsedPeer(Protocol):
    """A peer, and which share of its capacity is used."""

    @property
    def name(self) -> str: ...
    @property
    def share(self) -> float: ...


class UsedLink(Protocol):
    """A link, what goes over it in a second, and which share of its bandwidth that is."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def traffic(self) -> float: ...
    @property
    def share(self) -> float: ...


def network_svg(peers: Sequence[UsedPeer], links: Iterable[UsedLink]) -> str:
    """The picture of a network; what is pointed at tells its figures."""
    places = {each.name: _place(n, len(peers)) for n, each in enumerate(peers)}
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE:g} {SIZE:g}" role="img"'
            f" aria-label={quoteattr(f'network of {len(peers)} peers')}>",
            f"<style>{STYLE}</style>",
            '<rect class="page" width="100%" height="100%"/>',
            *(_link(each, places) for each in links),
            *_peers(peers, places),
            "</svg>\n",
        )
    )


def colour(share: float) -> str:
    """The colour of something of which a share is used."""
    return next(each for least, each in reversed(_COLOURS) if share >= least)


def _place(number: int, count: int) -> tuple[float, float]:
    if count == 1:
        return SIZE / 2, SIZE / 2
    angle = 2 * math.pi * number / count - math.pi / 2
    return SIZE / 2 + RADIUS * math.cos(angle), SIZE / 2 + RADIUS * math.sin(angle)


def _link(link: UsedLink, places: dict[str, tuple[float, float]]) -> str:
    (x1, y1), (x2, y2) = places[link.source], places[link.target]
    width = 2 + 6 * min(1.0, link.share)
    said = f"{link.source} – {link.target}: {link.traffic:,.0f} bytes a second, {link.share:.1%}"
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour(link.share)}" stroke-width="{width:.1f}">'
        f"<title>{escape(said)}</title></line>"
    )


def _peers(peers: Iterable[UsedPeer], places: dict[str, tuple[float, float]]) -> Iterator[str]:
    for peer in peers:
        x, y = places[peer.name]
        said = f"{peer.name}: {peer.share:.1%} of its capacity"
        yield (
            f"<g><title>{escape(said)}</title>"
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{NODE:g}" stroke="{colour(peer.share)}"/>'
            f'<text x="{x:.1f}" y="{y + 5:.1f}">{escape(peer.name)}</text></g>'
        )
