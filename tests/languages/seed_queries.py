"""The queries of the figures, and those of the example scenario with its slips."""

from __future__ import annotations

VELA_REGION = """
        [coord/cel/ra >= 120.0 and
         coord/cel/ra <= {east} and
         coord/cel/dec >= -49.0 and
         coord/cel/dec <= -40.0]"""

FIGURE_3 = """
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

FIGURE_4 = """
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

FIGURE_7 = (
    """
<photons>
  { for $w in stream("photons")/photons/photon"""
    + VELA_REGION.format(east="138.0")
    + """
    |det_time diff 20 step 10|
    let $a := avg($w/en)
    return <avg_en> { $a } </avg_en> }
</photons>"""
)

FIGURE_8 = (
    """
<photons>
  { for $w in stream("photons")/photons/photon"""
    + VELA_REGION.format(east="138.0")
    + """
    |det_time diff 60 step 40|
    let $a := avg($w/en)
    where $a >= 1.3
    return <avg_en> { $a } </avg_en> }
</photons>"""
)

FIGURE_9 = """
for $w in doc("data.xml")/a/b|count 4 step 2|
return
  <result>
    <win> { $w } </win>
  </result>"""

FIGURE_11 = """
for $w in doc("data.xml")/a/b|c diff 4 step 2|
return
  <result>
    <win> { $w } </win>
  </result>"""

SCENARIO_1 = """
        <photons>
          {
            for $p in stream("photons")/photons/photon
            where $p/coord/cel/ra >= 120.0
              and $p/coord/cel/ra <= 138.0
              and $p/coord/cel/dec >= -49.0
              and $p/coord/cel/dec <= -40.0
        return
        <vela>
            {$p/coord/cel/ra} {$p/coord/cel/dec}
            {$p/phc} {$p/en} {$p/det-time}
        </vela>
    }
</photons>"""

SCENARIO_2 = """
        <photons>
            {
                for $p in stream("photons")/photons/photon
                where $p/en >= 1.3
                    and $p/coord/cel/ra >= 130.5
                    and $p/coord/cel/ra <= 135.5
                    and $p/coord/cel/dec >= -48.0
                    and $p/coord/cel/dec <= -45.0
                return
                    <rxj_photon>
                        {$p/coord/cel/ra} {$p/coord/cel/dec}
                        {$p/en} {$p/det-time}
                    </rxj_photon>
            }
        </photons>"""

SCENARIO_3 = (
    """
        <photons>
            {
                for $w in stream("photons")/photons/photon"""
    + VELA_REGION.format(east="138.8")
    + """
                |det_time diff 20 step 10|
                let $a := avg($w/photon/en)
                return
                    <avg_en>
                        {$a}
                    </avg_en>
            }
        </photons>"""
)

SCENARIO_4 = (
    """
        <photons>
            {
                for $w in stream("photons")/photons/photon"""
    + VELA_REGION.format(east="138.0")
    + """
        |det_time diff 60 step 40|
        let $a := avg($w/photon/en)
        return
            <avg_en>
                {$a}
            </avg_en>
        }
    </photons>"""
)
