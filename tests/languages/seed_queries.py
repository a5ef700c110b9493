"""The queries of the figures, and those of the example scenario with its slips."""

from __future__ import annotations

from millstream.generators.photon_queries import (
    AVERAGE_20,
    AVERAGE_60,
    ITEM_WINDOW,
    RXJ,
    TIME_WINDOW,
    VELA,
)

VELA_REGION = """
        [coord/cel/ra >= 120.0 and
         coord/cel/ra <= {east} and
         coord/cel/dec >= -49.0 and
         coord/cel/dec <= -40.0]"""

FIGURE_3 = VELA
FIGURE_4 = RXJ
FIGURE_7 = AVERAGE_20
FIGURE_8 = AVERAGE_60
FIGURE_9 = ITEM_WINDOW
FIGURE_11 = TIME_WINDOW

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
