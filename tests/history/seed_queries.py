"""The queries of the seed about histories, with their slips corrected."""

from __future__ import annotations

SYN_AS_PRINTED = """
for $s in stream("gsyn")//packet
where not (some $a in stream("ack")//packet
           ? [vtFrom($s)+PT1M,now]
           satisfies $s/id = $a/id
             and $s/srcIP = $a/destIP
             and $s/srcPort = $a/destPort)
return <warning> { $s/id } </warning>
"""
SYN_AS_MEANT = """
for $s in stream("gsyn")//packet
where vtFrom($s) < now - PT1M
  and not (some $a in stream("ack")//packet
           ? [vtFrom($s),vtFrom($s)+PT1M]
           satisfies $s/id = $a/id
             and $s/srcIP = $a/destIP
             and $s/srcPort = $a/destPort)
return <warning> { $s/id } </warning>
"""
RADAR = """
declare function triangulate($one, $other) {
  let $first := math:tan($one * math:pi() div 180),
      $second := math:tan($other * math:pi() div 180),
      $x := 1000 * $second div ($second - $first)
  return (round($x), round($x * $first))
};
for $r in stream("radar1")//event,
    $s in stream("radar2")//event
    ? [vtFrom($r)-PT1S,vtTo($r)+PT1S]
where $r/frequency = $s/frequency
return
  <position>
    { triangulate($r/angle,$s/angle) }
  </position>
"""
TRAFFIC_LIGHT = """
declare function distance($one, $other) { abs($one - $other) };
for $v in stream("vehicle")//event,
    $r in stream("road_sensor")
        //event?[vtFrom($v),vtTo($v)],
    $t in stream("traffic_light")
        //event?[vtFrom($v),vtTo($v)]
where distance($v/location,$r/location)<0.1
    and distance($v/location,$t/location)<10
    and $v/type = "ambulance"
return
  <set_traffic_light ID="{ $t/id}">
    <status>green</status>
    <time> {vtFrom($t)
           +(distance($v/location,$t/location)
              div $r/speed)}
    </time>
  </set_traffic_light>
"""
MAXED_OUT = """
for $a in stream("credit")//account
where sum($a/transaction?[2003-11-01,2003-12-01]
  [status = "charged"]/amount) >=
  $a/creditLimit?[now]
return
  <account>
  { attribute id {$a/@id},
    $a/customer,
    $a/creditLimit }
  </account>
"""
FRAUD = """
for $a in stream("credit")//account
where sum($a/transaction?[now-PT1H,now]
  [status = "charged"]/amount) >=
  max($a/creditLimit?[now] * 0.9, 5000)
return
  <alert>
  <account id={$a/@id}>
  { $a/customer }
  </account>
  </alert>
"""
CHARGED = """
for $t in stream("creditSystem")/creditAccounts
  //transaction
where $t/amount > 1000 and $t/status = "charged"
return $t
"""
CHARGED_NOW = CHARGED.replace("$t/status =", "$t/status?[now] =")
CHARGED_LAST = CHARGED.replace("$t/status =", "$t/status#[last] =")
FIRST_TEN = """
stream("credit")
  //transaction[vendor="ABC Inc"]#[1,10]
"""
ALL = {
    "syn as printed": SYN_AS_PRINTED,
    "syn as meant": SYN_AS_MEANT,
    "radar": RADAR,
    "traffic light": TRAFFIC_LIGHT,
    "maxed out": MAXED_OUT,
    "fraud": FRAUD,
    "charged": CHARGED,
    "charged now": CHARGED_NOW,
    "charged last": CHARGED_LAST,
    "first ten": FIRST_TEN,
}
