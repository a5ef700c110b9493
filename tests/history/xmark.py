"""The twenty questions of the XMark benchmark about an auction site, in XCQL."""

from __future__ import annotations

import re

STREAM = 'stream("auction")'

QUESTIONS: tuple[str, ...] = (
    """
    for $person in stream("auction")/site/people/person[@id = "person0"]
    return $person/name/text()
    """,
    """
    for $auction in stream("auction")/site/open_auctions/open_auction
    return <increase>{ $auction/bidder[1]/increase/text() }</increase>
    """,
    """
    for $auction in stream("auction")/site/open_auctions/open_auction
    where $auction/bidder[1]/increase * 2 <= $auction/bidder[last()]/increase
    return
      <increase first="{ $auction/bidder[1]/increase/text() }"
                last="{ $auction/bidder[last()]/increase/text() }"/>
    """,
    """
    for $auction in stream("auction")/site/open_auctions/open_auction
    where some $one in $auction/bidder/personref[@person = "person20"],
               $other in $auction/bidder/personref[@person = "person51"]
          satisfies $one << $other
    return <history>{ $auction/reserve/text() }</history>
    """,
    """
    count(
      for $auction in stream("auction")/site/closed_auctions/closed_auction
      where $auction/price/text() >= 40
      return $auction/price)
    """,
    """
    for $regions in stream("auction")//site/regions return count($regions//item)
    """,
    """
    for $site in stream("auction")/site
    return count($site//description) + count($site//annotation) + count($site//emailaddress)
    """,
    """
    for $person in stream("auction")/site/people/person
    let $bought :=
      for $sale in stream("auction")/site/closed_auctions/closed_auction
      where $sale/buyer/@person = $person/@id
      return $sale
    return <item person="{ $person/name/text() }">{ count($bought) }</item>
    """,
    """
    let $site := stream("auction")/site
    for $person in $site/people/person
    let $items :=
      for $sale in $site/closed_auctions/closed_auction
      where $person/@id = $sale/buyer/@person
      return
        let $names :=
          for $item in $site/regions/europe/item
          where $sale/itemref/@item = $item/@id
          return $item
        return <item>{ $names/name/text() }</item>
    return <person name="{ $person/name/text() }">{ $items }</person>
    """,
    """
    for $category in
      distinct-values(stream("auction")/site/people/person/profile/interest/@category)
    let $persons :=
      for $person in stream("auction")/site/people/person
      where $person/profile/interest/@category = $category
      return
        <personne>
          <statistiques>
            <sexe>{ $person/profile/gender/text() }</sexe>
            <age>{ $person/profile/age/text() }</age>
            <education>{ $person/profile/education/text() }</education>
            <revenu>{ data($person/profile/@income) }</revenu>
          </statistiques>
          <coordonnees>
            <nom>{ $person/name/text() }</nom>
            <rue>{ $person/address/street/text() }</rue>
            <ville>{ $person/address/city/text() }</ville>
            <pays>{ $person/address/country/text() }</pays>
            <reseau>
              <courrier>{ $person/emailaddress/text() }</courrier>
              <pagePerso>{ $person/homepage/text() }</pagePerso>
            </reseau>
          </coordonnees>
          <cartePaiement>{ $person/creditcard/text() }</cartePaiement>
        </personne>
    return <categorie>{ <id>{ $category }</id>, $persons }</categorie>
    """,
    """
    for $person in stream("auction")/site/people/person
    let $affordable :=
      for $initial in stream("auction")/site/open_auctions/open_auction/initial
      where $person/profile/@income > 5000 * $initial/text()
      return $initial
    return <items name="{ $person/name/text() }">{ count($affordable) }</items>
    """,
    """
    for $person in stream("auction")/site/people/person
    let $affordable :=
      for $initial in stream("auction")/site/open_auctions/open_auction/initial
      where $person/profile/@income > 5000 * $initial/text()
      return $initial
    where $person/profile/@income > 50000
    return <items person="{ $person/profile/@income }">{ count($affordable) }</items>
    """,
    """
    for $item in stream("auction")/site/regions/australia/item
    return <item name="{ $item/name/text() }">{ $item/description }</item>
    """,
    """
    for $item in stream("auction")/site//item
    where contains(string(exactly-one($item/description)), "gold")
    return $item/name/text()
    """,
    """
    for $keyword in stream("auction")/site/closed_auctions/closed_auction/annotation/description
      /parlist/listitem/parlist/listitem/text/emph/keyword/text()
    return <text>{ $keyword }</text>
    """,
    """
    for $sale in stream("auction")/site/closed_auctions/closed_auction
    where not(empty($sale/annotation/description
      /parlist/listitem/parlist/listitem/text/emph/keyword/text()))
    return <person id="{ $sale/seller/@person }"/>
    """,
    """
    for $person in stream("auction")/site/people/person
    where empty($person/homepage/text())
    return <person name="{ $person/name/text() }"/>
    """,
    """
    declare function convert($amount as xs:decimal?) as xs:decimal? { 2.20371 * $amount };
    for $auction in stream("auction")/site/open_auctions/open_auction
    return convert(zero-or-one($auction/reserve))
    """,
    """
    for $item in stream("auction")/site/regions//item
    let $name := $item/name/text()
    order by zero-or-one($item/location) ascending empty greatest
    return <item name="{ $name }">{ $item/location/text() }</item>
    """,
    """
    <result>
      <preferred>
        { count(stream("auction")/site/people/person/profile[@income >= 100000]) }
      </preferred>
      <standard>
        { count(stream("auction")/site/people/person
            /profile[@income < 100000 and @income >= 30000]) }
      </standard>
      <challenge>
        { count(stream("auction")/site/people/person/profile[@income < 30000]) }
      </challenge>
      <na>
        { count(for $person in stream("auction")/site/people/person
                where empty($person/profile/@income)
                return $person) }
      </na>
    </result>
    """,
)


def at(question: str, time: str) -> str:
    """A question about the site as it stood at some time."""
    return question.replace(STREAM, f"{STREAM}?[{time}]")


def plain(question: str) -> str:
    """A question as XQuery proper has it: functions that it declares have a prefix."""
    return re.sub(r"(?<![\w:$-])convert\(", "local:convert(", question)
