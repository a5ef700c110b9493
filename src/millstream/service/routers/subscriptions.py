"""Subscriptions: try one, register it, look at it, end it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from starlette import status

from millstream.algebra.explain import explain
from millstream.errors import QueryError
from millstream.languages.xquery.standing import asks_history
from millstream.mill import Explanation, Subscription
from millstream.runtime.history.standing_subscription import StandingSubscription
from millstream.runtime.records import SubscriptionRecord
from millstream.service.access import Identity
from millstream.service.context import Service, ServiceHere, Who
from millstream.service.discretion import discreet
from millstream.service.logs import steady
from millstream.service.problems import told
from millstream.service.refusals import Forbidden, TooLarge, TooMany
from millstream.service.shapes.subscriptions import (
    Costs,
    Explained,
    NewSubscription,
    SavingsPage,
    SubscriptionPage,
    SubscriptionSummary,
)

router = APIRouter(prefix="/v1/subscriptions", tags=["subscriptions"])
savings_router = APIRouter(prefix="/v1/savings", tags=["subscriptions"])
_DRY = Query(description="Only tell how it would be answered; nothing is registered.")


@router.get("", responses=told())
def list_subscriptions(
    service: ServiceHere,
    who: Who,
    cancelled: Annotated[bool, Query(description="Those too that have ended.")] = False,
) -> list[SubscriptionSummary]:
    """The subscriptions of whoever asks; all, for those who may operate."""
    return [
        SubscriptionSummary(**_facts(each))
        for each in service.mill.subscriptions.values()
        if who.owns(each.owner) and (cancelled or not each.cancelled)
    ]


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    response_model=SubscriptionPage | Explained,
    responses={
        **told(400, 403, 404, 409, 413, 429, 501),
        200: {"description": "Of a dry run: how it would be answered.", "model": Explained},
        201: {"description": "It is registered.", "model": SubscriptionPage},
    },
)
def subscribe(
    new: NewSubscription,
    service: ServiceHere,
    who: Who,
    response: Response,
    dry_run: Annotated[bool, _DRY] = False,
) -> SubscriptionPage | Explained:
    """Register a continuous query, or try it."""
    check_text(new.text, who)
    with service.running.planning:
        for stream in named_streams(service, new):
            if not who.may_read(stream):
                raise Forbidden(f"'{who.name}' may not read stream '{stream}'", code="stream")
        if dry_run:
            response.status_code = status.HTTP_200_OK
            return _explained(service, new, who)
        _check_room(service, who)
        name = new.name or service.mill.registry.next_name()
        made = service.mill.subscribe(
            new.text,
            name=name,
            end=new.end,
            empty=new.empty,
            start=new.start,
            peer=new.peer,
            owner=who.name,
            language=new.language,
            # A query that attaches tags cannot overwrite those of somebody whose name it bears.
            tagger=None if service.access.open else f"{who.name}/{name}",
        )
    response.headers["Location"] = f"{router.prefix}/{made.name}"
    return _page(made)


@router.get("/{name}", responses=told(403, 404))
def get_subscription(name: str, service: ServiceHere, who: Who) -> SubscriptionPage:
    """All about one subscription."""
    return _page(service.subscription(name, who))


@router.delete("/{name}", status_code=status.HTTP_204_NO_CONTENT, responses=told(403, 404))
def cancel(name: str, service: ServiceHere, who: Who) -> None:
    """End a subscription with the next step. Its results stay; what others get from it goes on."""
    service.subscription(name, who)
    with service.running.planning:
        service.mill.cancel(name)
    service.running.wake()


@router.get("/{name}/costs", responses=told(403, 404, 409))
def get_costs(name: str, service: ServiceHere, who: Who) -> Costs:
    """What a subscription costs, who depends on it, and what its end would change."""
    service.subscription(name, who)
    with service.running.planning:
        service.plan(name)
        return Costs(**steady(lambda: service.mill.costs(name)).to_json())


@savings_router.get("", responses=told())
def get_savings(service: ServiceHere, who: Who) -> SavingsPage:
    """What sharing saves, against every subscription by itself."""
    with service.running.planning:
        return SavingsPage(**steady(service.mill.savings).to_json())


def check_text(text: str, who: Identity) -> None:
    most, size = who.limits.query_bytes, len(text.encode("utf-8", "surrogatepass"))
    if most is not None and size > most:
        raise TooLarge(
            f"the query has {size:,} bytes, and '{who.name}' may send {most:,}", code="query-size"
        )
    if any("\ud800" <= each <= "\udfff" for each in text):
        raise QueryError("the query is not valid Unicode: it holds half a character", code="text")


def _check_room(service: Service, who: Identity) -> None:
    most = who.limits.subscriptions
    if most is not None and active(service, who) >= most:
        raise TooMany(
            f"'{who.name}' has {most} subscriptions already",
            code="subscriptions",
            help="cancel one that is not needed",
        )


def active(service: Service, who: Identity) -> int:
    """How many subscriptions of somebody's own run."""
    records = list(service.mill.registry.subscriptions.values())
    return sum(each.owner == who.name and not (each.cancelled or each.tap) for each in records)


def named_streams(service: Service, new: NewSubscription) -> tuple[str, ...]:
    """The streams that a query names; its errors are told here."""
    registry = service.mill.registry
    if asks_history(new.text, registry.histories()):
        return registry.compile_standing(new.text).streams
    record = SubscriptionRecord(
        registry.next_name(), -1, new.text, (), new.end, new.empty, language=new.language
    )
    return registry.compile(record).query.streams


def _explained(service: Service, new: NewSubscription, who: Identity) -> Explained:
    found = service.mill.explain(
        new.text, end=new.end, empty=new.empty, peer=new.peer, language=new.language
    )
    if isinstance(found, Explanation):
        return _told(discreet(found, lambda name: service.owns(who, name)))
    return Explained(
        kind="history",
        streams=list(found.standing.streams),
        algebra=found.algebra,
        properties=found.properties,
        sharing=found.sharing,
        evaluation=found.evaluation,
        sql=found.sql,
        cost=0.0,
        refusal=None,
    )


def _told(explanation: Explanation) -> Explained:
    refusal = explanation.plan.refusal
    return Explained(
        kind="items",
        streams=list(explanation.registered.query.streams),
        algebra=explanation.algebra,
        properties=explanation.properties,
        sharing=explanation.sharing,
        evaluation=explanation.evaluation,
        sql=explanation.sql,
        cost=explanation.plan.cost,
        refusal=None if refusal is None else str(refusal),
    )


def _facts(subscription: Subscription) -> dict[str, Any]:
    return {
        "name": subscription.name,
        "owner": subscription.owner,
        "peer": subscription.peer,
        "streams": list(subscription.streams),
        "cancelled": subscription.cancelled,
    }


def _algebra(subscription: Subscription) -> str:
    if isinstance(subscription, StandingSubscription):
        return subscription.standing.text
    return explain(subscription.query)


def _page(subscription: Subscription) -> SubscriptionPage:
    return SubscriptionPage(
        **_facts(subscription),
        text=subscription.text,
        algebra=_algebra(subscription),
        opening=subscription.opening,
        closing=subscription.closing,
    )
