declare function local:cwin($count as xs:integer,
                           $step as xs:integer,
                           $data as node()*) as node()*
{
  let $cwin := fn:subsequence($data, 1, $count)
  let $tail := fn:subsequence($data, $step + 1)
  return
  if (fn:empty($tail)) then
    (<cw> { $cwin } </cw>)
  else
    (<cw> { $cwin } </cw>, local:cwin($count, $step, $tail))
};

for $x in doc("data.xml")/a
return
  <result>
    { for $w in local:cwin(4, 2, $x/b)
      return
        <win> { $w/* } </win> }
  </result>
