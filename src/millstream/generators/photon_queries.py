"""Subscriptions to the stream of photons, and the two small queries that show windows."""

from __future__ import annotations

VELA = """\
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
</photons>"""
"""Query 1: the photons of the Vela supernova remnant."""

RXJ = """\
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
</photons>"""
"""Query 2: the hard photons of RX J0852.0-4622, which lies inside Vela."""

AVERAGE_20 = """\
<photons>
  { for $w in stream("photons")/photons/photon
    [coord/cel/ra >= 120.0 and
      coord/cel/ra <= 138.0 and
      coord/cel/dec >= -49.0 and
      coord/cel/dec <= -40.0]
    |det_time diff 20 step 10|
    let $a := avg($w/en)
    return <avg_en> { $a } </avg_en> }
</photons>"""
"""Query 3: the average energy in Vela, over 20 seconds, every 10."""

AVERAGE_60 = """\
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
</photons>"""
"""Query 4: the average energy in Vela, over 60 seconds, every 40, where it is high."""

PHOTON_QUERIES = {
    "vela": VELA,
    "rxj": RXJ,
    "average_20": AVERAGE_20,
    "average_60": AVERAGE_60,
}

ITEM_WINDOW = """\
for $w in doc("data.xml")/a/b|count 4 step 2|
return
  <result>
    <win> { $w } </win>
  </result>"""
"""The contents of windows over four items."""

TIME_WINDOW = """\
for $w in doc("data.xml")/a/b|c diff 4 step 2|
return
  <result>
    <win> { $w } </win>
  </result>"""
"""The contents of windows over four units of time."""
