declare function local:dwin($start as xs:integer,
                           $diff as xs:integer,
                           $step as xs:integer,
                           $data as node()*,
                           $refs as node()*) as node()*
{
  let $dwin := for $i in $data
               let $ds := for $d in $i/descendant-or-self::node()
                           where some $r in $refs satisfies $r is $d
                           return $d
               where $ds >= $start and $ds < $start + $diff
               return $i
  let $tail := for $i in $data
               let $ds := for $d in $i/descendant-or-self::node()
                           where some $r in $refs satisfies $r is $d
                           return $d
               where $ds >= $start + $step
               return $i
  return
    if (fn:empty($tail)) then
      (<dw> { $dwin } </dw>)
    else
      (<dw> { $dwin } </dw>, local:dwin($start + $step, $diff, $step, $tail, $refs))
};

for $x in doc("data.xml")/a
return
  <result>
    { for $w in local:dwin(0, 4, 2, $x/b, $x/b/c)
      return
        <win> { $w/* } </win> }
  </result>
