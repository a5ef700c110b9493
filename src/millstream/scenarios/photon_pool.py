"""The pool of queries on photons: selections, projections and window aggregates."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.scenarios.pool import Choice

SELECTION = """\
<photons>
  { for $p in stream("%stream%")/photons/photon
    where $p/coord/cel/ra >= %box.west%
      and $p/coord/cel/ra <= %box.east%
      and $p/coord/cel/dec >= %box.south%
      and $p/coord/cel/dec <= %box.north%
      and $p/en >= %energy%
    return $p }
</photons>"""
"""All of the photons that come from a part of the sky and are hard enough."""

PROJECTION = """\
<photons>
  { for $p in stream("%stream%")/photons/photon
    where $p/coord/cel/ra >= %box.west%
      and $p/coord/cel/ra <= %box.east%
      and $p/coord/cel/dec >= %box.south%
      and $p/coord/cel/dec <= %box.north%
    return
      <photon>
        %elements%
      </photon> }
</photons>"""
"""Some elements of all photons that come from a part of the sky."""

AGGREGATION = """\
<photons>
  { for $w in stream("%stream%")/photons/photon
    [coord/cel/ra >= %box.west% and
      coord/cel/ra <= %box.east% and
      coord/cel/dec >= %box.south% and
      coord/cel/dec <= %box.north%]
    |det_time diff %window.size% step %window.step%|
    let $a := %function%($w/en)
    return <%function%_en> { $a } </%function%_en> }
</photons>"""
"""What the energies of a part of the sky come to, window by window."""

PHOTON_TEMPLATES = (SELECTION, PROJECTION, AGGREGATION)


def _box(west: float, east: float, south: float, north: float) -> dict[str, float]:
    return {"west": west, "east": east, "south": south, "north": north}


PHOTON_VALUES: Mapping[str, tuple[Choice, ...]] = {
    "box": (
        _box(120.0, 138.0, -49.0, -40.0),  # the Vela supernova remnant
        _box(124.0, 136.0, -48.0, -42.0),  # its inner part
        _box(130.5, 135.5, -48.0, -45.0),  # RX J0852.0-4622, inside it
        _box(70.0, 140.0, -80.0, -40.0),  # Vela and the Large Magellanic Cloud
        _box(305.0, 320.0, 25.0, 37.0),  # the Cygnus Loop
        _box(80.0, 87.0, 18.0, 26.0),  # the Crab Nebula
    ),
    "energy": (0.3, 0.5, 1.0, 1.3),
    "elements": (
        "{ $p/coord/cel/ra } { $p/coord/cel/dec } { $p/phc } { $p/en } { $p/det_time }",
        "{ $p/coord/cel/ra } { $p/coord/cel/dec } { $p/en } { $p/det_time }",
        "{ $p/coord/cel } { $p/en }",
        "{ $p/en } { $p/det_time }",
    ),
    "function": ("avg", "sum", "count", "min", "max"),
    "window": tuple(
        {"size": size, "step": step}
        for size, step in ((20, 10), (40, 20), (60, 20), (60, 40), (80, 40))
    ),
}
"""The values that the places of the templates are filled with."""
