(: The fillers, a document for each stream. Each filler stands in the first hole that it fills, so
   that the order of the document is that of the temporal view; later such holes are empty. :)
declare variable $xcql:fragments as document-node()* external;

(: One instant for the whole of an evaluation. :)
declare variable $xcql:now as xs:dateTime external :=
  max($xcql:fragments//filler/xcql:time(@validTime));

(: Before all other times. :)
declare variable $xcql:start as xs:dateTime := xs:dateTime("-0001-01-01T00:00:00");

(: The end of what has not ended: after all other times, and shown as now. :)
declare variable $xcql:open as xs:dateTime := xs:dateTime("99999-01-01T00:00:00");

(: All of time. A lifespan is closed if its end belongs to it. :)
declare variable $xcql:always as map(*) :=
  map { "from": $xcql:start, "to": $xcql:open, "closed": false() };

(: What a hole and its fillers have in common. :)
declare function xcql:key($node as element()) as xs:string {
  string-join((xcql:name($node), $node/@tsid, $node/@id), " ")
};

(: The name of the stream that a filler or hole belongs to. :)
declare function xcql:name($node as node()) as xs:string? {
  root($node)/fragments/@xcql:stream/string()
};

(: True for what stands in the fillers themselves, and has not been constructed. :)
declare function xcql:stored($node as node()) as xs:boolean {
  exists(root($node)/fragments/@xcql:stream)
};

(: The fillers with one id: in order of validTime, then of arrival. :)
declare function xcql:versions($fillers as element(filler)*) as element(filler)* {
  if (count($fillers) lt 2) then $fillers
  else
    for $filler in $fillers
    order by xcql:time($filler/@validTime), number($filler/@arrival)
    return $filler
};

(: The fillers of every hole. :)
declare variable $xcql:by_hole as map(xs:string, element(filler)*) :=
  map:merge(
    for $filler in $xcql:fragments//filler
    group by $key := xcql:key($filler)
    return map:entry($key, xcql:versions($filler)));

(: The fillers of every tag, in the order of the view. :)
declare variable $xcql:by_tag as map(xs:string, element(filler)*) :=
  map:merge(
    for $filler in $xcql:fragments//filler
    group by $tag := xcql:name($filler) || " " || $filler/@tsid
    return map:entry($tag, $filler));

(: The holes that stand in several fillers: what is in them is in the view more than once. :)
declare variable $xcql:repeated as map(xs:string, xs:boolean) :=
  map:merge(
    for $hole in $xcql:fragments//hole
    group by $key := xcql:key($hole)
    where count($hole) gt 1
    return map:entry($key, true()));

(: The fillers of the root. :)
declare function xcql:stream($name as xs:string) as element(filler)* {
  xcql:versions($xcql:fragments/fragments[@xcql:stream eq $name]/filler[@id eq "0"])
};

(: What fills some holes. :)
declare function xcql:get_fillers($holes as element(hole)*) as element(filler)* {
  for $hole in $holes return $xcql:by_hole(xcql:key($hole))
};

(: The elements in some holes, hole by hole. :)
declare function xcql:filled($holes as element(hole)*) as element()* {
  for $filler in xcql:get_fillers($holes) return $filler/*
};

(: All fillers of some tags. :)
declare function xcql:fillers_of($stream as xs:string, $tsids as xs:integer*) as element(filler)* {
  for $tsid in $tsids return $xcql:by_tag($stream || " " || $tsid)
};

(: The children of a node, those in holes included. :)
declare function xcql:children($node as node()) as node()* {
  for $child in $node/node()
  return if ($child[self::hole] and xcql:stored($child)) then xcql:filled($child) else $child
};

(: Some nodes and all elements below them. :)
declare function xcql:family($nodes as node()*) as node()* {
  let $below := $nodes/xcql:children(.)[self::*]
  return if (empty($below)) then $nodes else $nodes | xcql:family($below)
};

(: All that is below a node, in the order of the view. :)
declare function xcql:below($node as node()) as node()* {
  for $child in xcql:children($node) return ($child, xcql:below($child))
};

(: The lifespan that a filler gives its element; the root, if a snapshot, was always there. :)
declare function xcql:validity($filler as element(filler)) as map(*)? {
  let $time := xcql:time($filler/@validTime)
  let $type := $xcql:types(xcql:name($filler))(xs:integer($filler/@tsid))
  let $versions := $xcql:by_hole(xcql:key($filler))
  let $later := xcql:after($versions, $filler)
  return
    if ($type = "event") then map { "from": $time, "to": $time, "closed": true() }
    else if ($type = "snapshot" and count($versions) eq 1) then ()
    else
      map {
        "from": if ($type = "snapshot" and $filler is $versions[1]) then $xcql:start else $time,
        "to": (xcql:time($later/@validTime), $xcql:open)[1],
        "closed": false() }
};

(: The version that follows another. :)
declare function xcql:after($versions as element(filler)*, $filler as element(filler))
  as element(filler)? {
  for $version at $place in $versions
  where $version is $filler
  return $versions[$place + 1]
};

(: The lifespan of a node's own: of a filler's element, or as a copy carries it. :)
declare function xcql:own($node as node()) as map(*)? {
  if ($node/@xcql:from) then
    map {
      "from": xcql:time($node/@xcql:from),
      "to": xcql:time($node/@xcql:to),
      "closed": exists($node/@xcql:closed) }
  else if ($node/parent::filler and xcql:stored($node)) then xcql:validity($node/..)
  else ()
};

(: The lifespan of any node: its own, or the smallest that covers its children's. :)
declare function xcql:lifespan($node as node()) as map(*) {
  let $own := xcql:own($node)
  return
    if (exists($own)) then $own
    else xcql:cover(xcql:children($node)[self::*] ! xcql:lifespan(.))
};

(: The smallest lifespan that covers some; of none, all of time. :)
declare function xcql:cover($lifespans as map(*)*) as map(*) {
  if (empty($lifespans)) then $xcql:always
  else
    let $end := max($lifespans?to)
    return
      map {
        "from": min($lifespans?from),
        "to": $end,
        "closed": some $each in $lifespans satisfies $each?to eq $end and $each?closed }
};

(: What two lifespans have in common, if anything. :)
declare function xcql:intersection($one as map(*), $other as map(*)) as map(*)? {
  let $from := max(($one?from, $other?from))
  let $to := min(($one?to, $other?to))
  let $closed := every $each in ($one, $other)[?to eq $to] satisfies $each?closed
  return
    if ($from gt $to or ($from eq $to and not($closed))) then ()
    else map { "from": $from, "to": $to, "closed": $closed }
};

(: When what a node stands in arrived: orders versions that begin together. :)
declare function xcql:arrival($node as node()) as xs:double {
  let $known :=
    if (xcql:stored($node)) then $node/ancestor-or-self::filler/@arrival
    else $node/ancestor-or-self::*/@xcql:arrival
  return if (empty($known)) then 0 else number($known[last()])
};

(: A node as it was within a lifespan, holes filled, with what lifespans are left inside.
   $again says that it may be in the view more than once: copies of one node then share a mark. :)
declare function xcql:slice($node as node(), $within as map(*), $again as xs:boolean) as node()* {
  typeswitch ($node)
    case element(hole) return
      if (not(xcql:stored($node))) then xcql:slice_of($node, $within, $again)
      else
        let $twice := $again or map:contains($xcql:repeated, xcql:key($node))
        return xcql:filled($node) ! xcql:slice(., $within, $twice)
    case element(filler) return
      if (xcql:stored($node)) then xcql:document(xcql:inside($node, $within, $again))
      else xcql:slice_of($node, $within, $again)
    case element() return xcql:slice_of($node, $within, $again)
    case document-node() return xcql:document(xcql:inside($node, $within, $again))
    default return $node
};

(: What is in a node, as it was within a lifespan. :)
declare function xcql:inside($node as node(), $within as map(*), $again as xs:boolean) as node()* {
  $node/node() ! xcql:slice(., $within, $again)
};

(: A document of some nodes, if there is an element among them. :)
declare function xcql:document($nodes as node()*) as document-node()? {
  if ($nodes[self::*]) then document { $nodes } else ()
};

(: An element as it was within a lifespan, if it was there at all. :)
declare function xcql:slice_of($element as element(), $within as map(*), $again as xs:boolean)
  as element()? {
  let $own := xcql:own($element)
  let $left := if (empty($own)) then () else xcql:intersection($own, $within)
  return
    if (exists($own) and empty($left)) then ()
    else
      element { node-name($element) } {
        xcql:marks($element, $left, $again),
        $element/@*[xcql:visible(.)],
        xcql:inside($element, $within, $again) }
};

(: The hidden attributes of a copy. :)
declare function xcql:marks($node as element(), $lifespan as map(*)?, $again as xs:boolean)
  as attribute()* {
  if ($node/@xcql:node) then $node/@xcql:node
  else if ($again) then attribute xcql:node { generate-id($node) }
  else (),
  ($node/@xcql:told_tags, $node/parent::filler/@xcql:told_tags)[1],
  if (empty($lifespan)) then ()
  else (
    attribute xcql:from { $lifespan?from },
    attribute xcql:to { $lifespan?to },
    if ($lifespan?closed) then attribute xcql:closed { "closed" } else (),
    attribute xcql:arrival { xcql:arrival($node) })
};

(: True for attributes that are not hidden. :)
declare function xcql:visible($attribute as attribute()) as xs:boolean {
  namespace-uri($attribute) ne "urn:millstream:xcql"
};

(: True if something above a node may be in the view more than once. :)
declare function xcql:again($node as node()) as xs:boolean {
  some $filler in $node/ancestor-or-self::filler[xcql:stored(.)]
  satisfies map:contains($xcql:repeated, xcql:key($filler))
};

(: Copies one after another in one document, so that there is an order between them. :)
declare function xcql:together($copies as node()*) as node()* {
  if ($copies[not(self::*)]) then $copies else document { $copies }/*
};

(: Nodes with all their holes filled. :)
declare function xcql:temporalize($items as item()*) as item()* {
  for $item in $items
  return
    if ($item instance of node() and xcql:stored($item))
    then xcql:slice($item, $xcql:always, xcql:again($item))
    else $item
};

(: What of some nodes held between two instants, both included. :)
declare function xcql:interval_projection(
  $nodes as node()*, $begin as xs:dateTime?, $end as xs:dateTime?) as node()* {
  if (empty($begin) or empty($end) or $begin gt $end) then ()
  else
    let $within := map { "from": $begin, "to": $end, "closed": true() }
    return xcql:together($nodes ! xcql:slice(., $within, xcql:again(.)))
};

(: The versions with some numbers, each with what was in it during its lifespan.
   What is in an event, or has no lifespan of its own, stays whole. :)
declare function xcql:version_projection(
  $nodes as node()*, $first as xs:anyAtomicType?, $last as xs:anyAtomicType?) as node()* {
  let $versions :=
    for $node in $nodes
    stable order by xcql:lifespan($node)?from, xcql:arrival($node)
    return $node
  return xcql:together(
    for $version at $number in $versions
    let $own := xcql:own($version)
    where $number >= $first and $number <= $last
    return
      if (exists($own) and $own?from lt $own?to)
      then xcql:slice($version, $own, xcql:again($version))
      else xcql:slice($version, $xcql:always, xcql:again($version)))
};

(: When elements begin. :)
declare function xcql:vtFrom($nodes as node()*) as xs:dateTime* {
  $nodes ! xcql:lifespan(.)?from
};

(: When elements end. :)
declare function xcql:vtTo($nodes as node()*) as xs:dateTime* {
  $nodes ! xcql:lifespan(.)?to
};

(: The tags on the items that nodes stand in; values have none. :)
declare function xcql:tagged($items as item()*) as element(tag)* {
  for $node in $items[. instance of node()]
  let $told := ($node/ancestor-or-self::*/@xcql:told_tags)[last()]
  return if (empty($told)) then () else parse-xml-fragment(string($told))/tag
};

(: What these tags say, each once. :)
declare function xcql:tags($nodes as node()*) as xs:string* {
  distinct-values(xcql:tagged($nodes) ! string(.))
};

(: True if one of some elements holds now: vtTo = now. :)
declare function xcql:lasts($nodes as node()*) as xs:boolean {
  some $each in $nodes ! xcql:lifespan(.)
  satisfies $each?to eq $xcql:open or ($each?to eq $xcql:now and $each?closed)
};

(: True if one of some elements does not end now: vtTo != now. :)
declare function xcql:passes($nodes as node()*) as xs:boolean {
  some $node in $nodes satisfies not(xcql:lasts($node))
};

(: The nodes that have a lifespan of their own. :)
declare function xcql:living($nodes as node()*) as node()* {
  $nodes[exists(xcql:own(.))]
};

(: The attribute vtFrom or vtTo that elements have in the temporal view. :)
declare function xcql:attribute($nodes as node()*, $name as xs:string) as attribute()* {
  for $node in $nodes
  let $own := xcql:own($node)
  return
    if (empty($own)) then $node/@*[name() eq $name]
    else attribute { $name } { xcql:shown($own(if ($name eq "vtFrom") then "from" else "to")) }
};

(: The temporal views of some streams, put together. :)
declare variable $xcql:views as map(xs:string, document-node()*) :=
  map:merge(
    for $name in $xcql:materialized
    return map:entry($name, xcql:temporalize(xcql:stream($name))));

(: The temporal view of a stream. :)
declare function xcql:view($name as xs:string) as document-node()* {
  $xcql:views($name)
};

(: The first copies of all nodes that the views hold more than once. :)
declare variable $xcql:firsts as map(xs:string, element()) :=
  map:merge(
    for $node in $xcql:views?*//*[@xcql:node]
    group by $key := string($node/@xcql:node)
    return map:entry($key, $node[1]));

(: The first copy of a node in a view. :)
declare function xcql:first($node as element()) as element() {
  if ($xcql:views?*[. is root($node)]) then $xcql:firsts($node/@xcql:node) else $node
};

(: Each node once, where copies of it stand in several versions of what is above it. :)
declare function xcql:once($nodes as item()*) as item()* {
  if (empty($nodes[. instance of element()]/@xcql:node)) then $nodes
  else
    $nodes[not(@xcql:node)]
    | (for $node in $nodes[@xcql:node]
       group by $key := generate-id(root($node)) || " " || $node/@xcql:node
       return xcql:first($node[1]))
};

(: A time in UTC, whatever it was written as; a date means its midnight. :)
declare function xcql:time($value as xs:anyAtomicType?) as xs:dateTime? {
  typeswitch ($value)
    case empty-sequence() return ()
    case xs:dateTime return xcql:utc($value)
    case xs:date return xcql:utc(xs:dateTime($value))
    default return
      let $text := normalize-space(string($value))
      return
        if ($text eq "now") then $xcql:open
        else if ($text eq "start") then $xcql:start
        else if ($text castable as xs:date) then xcql:utc(xs:dateTime(xs:date($text)))
        else xcql:utc(xs:dateTime($text))
};

(: A time without a zone. :)
declare function xcql:utc($time as xs:dateTime) as xs:dateTime {
  if (empty(timezone-from-dateTime($time))) then $time
  else
    adjust-dateTime-to-timezone(
      adjust-dateTime-to-timezone($time, xs:dayTimeDuration("PT0S")), ())
};

(: The times that values stand for. :)
declare function xcql:times($values as item()*) as xs:dateTime* {
  for $value in data($values) return xcql:time($value)
};

(: Values as they are shown: the ends of all time have names. :)
declare function xcql:shown($items as item()*) as item()* {
  for $item in $items
  return
    if (not($item instance of xs:dateTime)) then $item
    else if ($item eq $xcql:open) then "now"
    else if ($item eq $xcql:start) then "start"
    else $item
};

(: Values as they are compared: without white space around them. :)
declare function xcql:trimmed($items as item()*) as xs:anyAtomicType* {
  for $value in data($items)
  return
    if ($value instance of xs:untypedAtomic)
    then xs:untypedAtomic(replace($value, "^\s+|\s+$", ""))
    else $value
};

(: A sum with times in it; a number is one of seconds. :)
declare function xcql:plus($one as xs:anyAtomicType?, $other as xs:anyAtomicType?)
  as xs:anyAtomicType? {
  if (empty($one) or empty($other)) then ()
  else if ($one instance of xs:dateTime) then
    if ($one = ($xcql:start, $xcql:open)) then $one
    else if ($other instance of xs:duration)
    then $one + xs:yearMonthDuration($other) + xs:dayTimeDuration($other)
    else $one + xs:double($other) * xs:dayTimeDuration("PT1S")
  else if ($other instance of xs:dateTime) then xcql:plus($other, $one)
  else $one + $other
};

(: A difference with times in it; between times, an open end is now. :)
declare function xcql:minus($one as xs:anyAtomicType?, $other as xs:anyAtomicType?)
  as xs:anyAtomicType? {
  if (empty($one) or empty($other)) then ()
  else if ($one instance of xs:dateTime and $other instance of xs:dateTime)
  then xcql:past($one) - xcql:past($other)
  else if ($one instance of xs:dateTime and $other instance of xs:duration)
  then xcql:earlier($one, $other)
  else if ($one instance of xs:dateTime) then xcql:plus($one, - xs:double($other))
  else $one - $other
};

(: A time less a duration. :)
declare function xcql:earlier($time as xs:dateTime, $length as xs:duration) as xs:dateTime {
  if ($time = ($xcql:start, $xcql:open)) then $time
  else $time - xs:yearMonthDuration($length) - xs:dayTimeDuration($length)
};

(: A time that is not open. :)
declare function xcql:past($time as xs:dateTime) as xs:dateTime {
  if ($time eq $xcql:open) then $xcql:now else $time
};

(: An interval that is written out; one that ends before it begins is none. :)
declare function xcql:interval($begin as xs:dateTime?, $end as xs:dateTime?) as map(*)? {
  if (empty($begin) or empty($end) or $begin gt $end) then ()
  else map { "from": $begin, "to": $end, "closed": $end ne $xcql:open }
};

(: The lifespans of elements and intervals. :)
declare function xcql:lifespans($items as item()*) as map(*)* {
  for $item in $items
  return if ($item instance of map(*)) then $item else xcql:lifespan($item)
};

(: -1, 0 or 1. :)
declare function xcql:order($one as xs:dateTime, $other as xs:dateTime) as xs:integer {
  if ($one lt $other) then -1 else if ($one gt $other) then 1 else 0
};

(: The order of two ends. One that is not included comes before an instant at the same time. :)
declare function xcql:order_of_ends($one as map(*), $other as map(*)) as xs:integer {
  let $order := xcql:order($one?to, $other?to)
  return
    if ($order ne 0 or $one?closed eq $other?closed) then $order
    else if ($one?from ne $one?to and $other?from ne $other?to) then 0
    else if ($one?closed) then 1
    else -1
};

(: How two lifespans lie to each other, in Allen's words: one of thirteen. :)
declare function xcql:relation($one as map(*), $other as map(*)) as xs:string {
  let $begins := xcql:order($one?from, $other?from)
  let $ends := xcql:order_of_ends($one, $other)
  return
    if ($begins eq 0) then ("starts", "equals", "started-by")[$ends + 2]
    else if ($begins lt 0) then
      if ($ends eq 0) then "finished-by"
      else if ($ends gt 0) then "contains"
      else ("before", "meets", "overlaps")[xcql:order($one?to, $other?from) + 2]
    else if ($ends eq 0) then "finishes"
    else if ($ends lt 0) then "during"
    else ("after", "met-by", "overlapped-by")[xcql:order($other?to, $one?from) + 2]
};

(: True if some lifespan of the one lies so to some of the other. :)
declare function xcql:related($one as item()*, $word as xs:string, $other as item()*)
  as xs:boolean {
  some $first in xcql:lifespans($one), $second in xcql:lifespans($other)
  satisfies xcql:relation($first, $second) eq $word
};

(: The result of a query: holes filled, nothing hidden left. :)
declare function xcql:result($items as item()*) as item()* {
  for $item in $items
  return
    if ($item instance of document-node()) then $item/node() ! xcql:plain(.)
    else if ($item instance of node()) then xcql:plain($item)
    else xcql:shown($item)
};

(: A node as it is shown. :)
declare function xcql:plain($node as node()) as node()* {
  if ($node[self::hole or self::filler] and xcql:stored($node)) then
    (if ($node[self::hole]) then xcql:filled($node) else $node/*) ! xcql:plain(.)
  else if ($node instance of element()) then
    element { node-name($node) } {
      $node/@*[xcql:visible(.)],
      $node/node() ! xcql:plain(.) }
  else $node
};

(: What a variable is bound to: when the filler of a node arrived, and where in it the node is.
   Copies of a node have the same. Other values stand for themselves. :)
declare function xcql:binding($item as item()) as xs:string {
  if (not($item instance of node())) then "=" || string($item)
  else
    let $above := $item/ancestor-or-self::*[parent::filler or @xcql:arrival][last()]
    return
      if (empty($above)) then "=" || string($item)
      else
        string-join(
          (string(xs:integer(xcql:arrival($item))), xcql:way($item, $above)), "/")
};

(: The way from an element down to a node inside it, by names and places among those inline. :)
declare function xcql:way($node as node(), $above as element()) as xs:string* {
  if ($node is $above) then ()
  else (
    xcql:way($node/.., $above),
    let $same := $node/preceding-sibling::node()[node-name(.) = node-name($node)]
    return name($node) || "[" || count($same[not(@xcql:arrival)]) || "]")
};

(: A result and what was bound for it: the keys, how many texts, and the texts. :)
declare function xcql:keyed($keys as xs:string*, $items as item()*) as xs:string* {
  let $texts :=
    for $item in $items
    let $printable := if ($item instance of attribute()) then string($item) else $item
    return serialize($printable,
      map { "omit-xml-declaration": true(), "method": "xml", "indent": false() })
  return (string(count($keys)), $keys, string(count($texts)), $texts)
};

(: What functions of Python gave. :)
declare variable $xcql:told as document-node()? external := ();

(: What functions of Python gave, by what they were asked. :)
declare variable $xcql:answers as map(xs:string, item()*) :=
  map:merge(
    for $answer in $xcql:told/answers/answer
    return map:entry(string($answer/question), $answer/value ! xcql:typed(.)));

(: A value that a function of Python gave. :)
declare function xcql:typed($value as element(value)) as xs:anyAtomicType {
  switch ($value/@kind)
    case "float" return xs:double($value)
    case "integer" return xs:integer($value)
    case "truth" return xs:boolean($value)
    case "time" return xs:dateTime($value)
    default return string($value)
};

(: The values of an argument as text, from which they can be told again. :)
declare function xcql:argument($values as xs:anyAtomicType*) as xs:string {
  let $texts := $values ! string(.)
  return string-join((count($texts), $texts ! (string-length(.) || ":" || .)), ";")
};

(: What a function of Python gives; if it has not been asked yet, it must be, and all begins anew. :)
declare function xcql:ask($function as xs:string, $arguments as xs:string*) as item()* {
  let $question := string-join(($function, $arguments), " ")
  return
    if (map:contains($xcql:answers, $question)) then $xcql:answers($question)
    else error(QName("urn:millstream:xcql", "xcql:pending"), "not asked yet", $question)
};

(: What is computed, in an array; or the questions that must be asked before, in a map. :)
declare function xcql:attempt($computed as function() as item()*) as item() {
  try { array { $computed() } }
  catch xcql:pending { map { "questions": $err:value } }
};

(: What was computed each time, unless there are questions: then all of them. :)
declare function xcql:gathered($attempts as item()*) as item()* {
  let $questions := $attempts[. instance of map(*)] ! ?questions
  return
    if (exists($questions))
    then error(
      QName("urn:millstream:xcql", "xcql:pending"), "not asked yet", distinct-values($questions))
    else $attempts ! ?*
};

(: The answer to a whole query, or the questions that must be asked before. :)
declare function xcql:answered($computed as function() as item()*) as item()* {
  try { $computed() }
  catch xcql:pending { $err:value ! element xcql:pending { . } }
};
