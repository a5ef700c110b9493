for $l in stream("levels")/levels/level return $l

for $l in stream("levels")/levels/level[height >= 2.5 and at < 3] return <r>{ $l/river }</r>

for $l in stream("levels")/levels/level[gauge/value > 3]/gauge[@no > 1]
return <r>{ $l/value }</r>

for $l in stream("levels")/levels/level
where $l/river != 'Inn' or $l/@id = 'c'
return <r>{ $l/at/text() }</r>

for $l in stream("levels")/levels/level where not($l/height) return <r>{ $l/at, $l/river }</r>

for $l in stream("levels")/levels/level let $h := $l/height
where $h > 1
return <r h='{ $h }'>{ $h }</r>

for $l in stream("levels")/levels/level let $n := count($l/gauge) let $m := $n + 1
return <r>{ $n, $m }</r>

for $l in stream("levels")/levels/level
return <r>{ for $g in $l/gauge return <g>{ $g/@no, $g/value }</g> }</r>

for $l in stream("levels")/levels/level, $g in $l/gauge, $m in $g/remark
return <r>{ $l/@id, $m }</r>

for $l in stream("levels")/levels/level for $g in $l/gauge
where $g/value >= $l/at + 1
return <r>{ $g }</r>

for $l in stream("levels")/levels/level return if ($l/height > 3) then <high/> else <low at='{ $l/at }'/>

for $l in stream("levels")/levels/level
return <r>{ if (empty($l/height)) then 'none' else $l/height/text() }</r>

for $l in stream("levels")/levels/level
where some $g in $l/gauge satisfies $g/remark = 'ice'
return <r>{ $l/at }</r>

for $l in stream("levels")/levels/level
where every $g in $l/gauge satisfies $g/value > 0
return <r>{ $l/at }</r>

for $l in stream("levels")/levels/level
return <r>{ sum($l/gauge/value) div 2, avg($l/gauge/value) }</r>

for $l in stream("levels")/levels/level
return <r>{ max($l/gauge/value) - min($l/gauge/value) }</r>

for $l in stream("levels")/levels/level
return <r>{ $l/at * 2 + 1, -$l/at, $l/at mod 2, 7 idiv $l/at }</r>

for $l in stream("levels")/levels/level
return <r>{ round($l/height * 3), floor($l/height), abs($l/gauge[1]/value) }</r>

for $l in stream("levels")/levels/level return <r>{ $l/gauge[1]/remark[2], $l/gauge[2] }</r>

for $l in stream("levels")/levels/level
return <r>{ concat($l/river, '/', $l/@id), string-length($l/river) }</r>

for $l in stream("levels")/levels/level
where contains($l/river, '&amp;')
return <r>{ upper-case($l/river) }</r>

for $l in stream("levels")/levels/level
return <r>{ distinct-values($l/gauge/remark), count($l/*) }</r>

for $l in stream("levels")/levels/level
return <r>{ substring($l/river, 2, 3), normalize-space(' a  b ') }</r>

for $l in stream("levels")/levels/level
return <r a='{{{ $l/at }}}'>{{ x }} &lt; { $l/at/text() }!</r>

for $l in stream("levels")/levels/level return element r { attribute at { $l/at }, $l/river/text() }

for $l in stream("levels")/levels/level return <r>{ ($l/at, (), (1, 'x')), <s/>, (2, 3) }</r>

for $l in stream("levels")/levels/level return <r>{ $l/at = 3, $l/gauge/@no = 10, () = 1 }</r>

for $l in stream("levels")/levels/level
return <r>{ for $g in $l/gauge let $v := $g/value + 1
where $v > 3 return $v }</r>

declare function local:up($x) { $x + 10 };
for $l in stream("levels")/levels/level
return <r>{ local:up($l/at) }</r>

declare variable $limit := 3;
for $l in stream("levels")/levels/level
where $l/at >= $limit
return <r>{ $limit }</r>

for $l in stream("levels")/levels/level
return <r>{ name($l/gauge[1]), exists($l/@id), string($l/@id) }</r>

for $l in stream("levels")/levels/level return <r>{ data($l/gauge/@no), number($l/at) }</r>

<all>{ for $l in stream("levels")/levels/level
return <r>{ $l/@id }<at>{ $l/at/text() }</at></r> }</all>
