"""Four subscriptions of astronomers to one stream of photons: two regions, two averages."""

from __future__ import annotations

VELA = """
<photons>
  { for $p in stream("photons")/photons/photon
    where $p/coord/cel/ra >= 120.0
      and $p/coord/cel/ra <= 138.0
      and $p/coord/cel/dec >= -49.0
      and $p/coord/cel/dec <= -40.0
    return
      <vela>
        { $p/coord/cel/ra } { $p/coord/cel/dec }
        { $p/phc } { $p/en } { $p/det_time }
      </vela> }
</photons>
""".strip()

RXJ = """
<photons>
  { for $p in stream("photons")/photons/photon
    where $p/en >= 1.3
      and $p/coord/cel/ra >= 130.5
      and $p/coord/cel/ra <= 135.5
      and $p/coord/cel/dec >= -48.0
      and $p/coord/cel/dec <= -45.0
    return
      <rxj>
        { $p/coord/cel/ra } { $p/coord/cel/dec }
        { $p/en } { $p/det_time }
      </rxj> }
</photons>
""".strip()

AVERAGE_20 = """
<photons>
  { for $w in stream("photons")/photons/photon
    [coord/cel/ra >= 120.0 and
      coord/cel/ra <= 138.0 and
      coord/cel/dec >= -49.0 and
      coord/cel/dec <= -40.0]
    |det_time diff 20 step 10|
    let $a := avg($w/en)
    return <avg_en> { $a } </avg_en> }
</photons>
""".strip()

AVERAGE_60 = """
<photons>
  { for $w in stream("photons")/photons/photon
    [coord/cel/ra >= 120.0 and
      coord/cel/ra <= 138.0 and
      coord/cel/dec >= -49.0 and
      coord/cel/dec <= -40.0]
    |det_time diff 60 step 40|
    let $a := avg($w/en)
    where $a >= 1.3
    return <avg_en> { $a } </avg_en> }
</photons>
""".strip()

PHOTON_QUERIES: dict[str, str] = {
    "vela": VELA,
    "rxj": RXJ,
    "average_20": AVERAGE_20,
    "average_60": AVERAGE_60,
}
