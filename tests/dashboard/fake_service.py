"""A service without a mill: the same addresses and shapes, with canned data that moves."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Response
from fastapi.responses import JSONResponse, StreamingResponse

from millstream.service import pages
from millstream.service.shapes.log import Item, Page
from millstream.service.shapes.network import (
    Dependencies,
    Edge,
    NetworkPage,
    PlanPage,
    StrategyName,
)
from millstream.service.shapes.operation import Health, LimitsPage, Me, Totals
from millstream.service.shapes.quarantine import QuarantinePage, Replay, SetAside
from millstream.service.shapes.questions import Answered, Question
from millstream.service.shapes.streams import (
    ElementUse,
    SampleItem,
    StreamPage,
    StreamStatistics,
    StreamSummary,
    TagOn,
)
from millstream.service.shapes.subscriptions import (
    Costs,
    Explained,
    NewSubscription,
    SavingsPage,
    SubscriptionPage,
    SubscriptionSummary,
)
from millstream.service.shapes.tags import (
    DeedOf,
    NewTag,
    OpinionOf,
    RelatedWord,
    Tag,
    TaggedItemPage,
    TagOnItem,
    Word,
)
from tests.dashboard import canned

STREAMS = ("photons", "readings", "credit")
WRONG = "levl"
TOKEN = "open sesame"
LastId = Annotated[str | None, Header(alias="Last-Event-ID")]


def problem(status: int, code: str, detail: str, **more: Any) -> JSONResponse:
    content = {"type": f"urn:{code}", "title": "query error", "status": status, "detail": detail}
    return JSONResponse({**content, "code": code, **more}, status)


@dataclass
class State:
    """What has happened to the fake."""

    began: float = field(default_factory=time.monotonic)
    subscriptions: dict[str, SubscriptionPage] = field(default_factory=dict)
    tags: list[tuple[int, Tag]] = field(default_factory=list)
    """With the number of the first reading that may have them."""
    replayed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for name in canned.RATES:
            self.add(name, canned.VELA)
        for content, sign in (("calm", "+"), ("calm", "+"), ("steep", "-"), ("murky", "-")):
            self.attach(NewTag(content=content, sign=sign, lifespan="2 h"), "ada")  # type: ignore[arg-type]

    @property
    def items(self) -> int:
        return 120 + int(4 * (time.monotonic() - self.began))

    def add(self, name: str, text: str) -> SubscriptionPage:
        made = SubscriptionPage(
            name=name,
            owner="local",
            peer="SP1",
            streams=["photons"],
            cancelled=False,
            text=text,
            algebra="Query <photons> … </photons>\n  Construct …\n    Scan photons as $p",
            opening="<photons>",
            closing="</photons>",
        )
        self.subscriptions[name] = made
        return made

    def attach(self, new: NewTag, tagger: str) -> Tag:
        tag = Tag(
            number=len(self.tags),
            tagger=tagger,
            applicability=new.applicability or "*,*,{}",
            content=new.content,
            type="subjective",
            sign=new.sign or "",
            lifespan=new.lifespan or "I",
            mode=new.mode or "Combine",
            time="1970-01-01T02:10:00",
        )
        self.tags.append((self.items, tag))
        return tag

    def tags_on(self, number: int) -> list[Tag]:
        return [tag for first, tag in self.tags if number >= first - 20 and number % 3 == 0]

    @property
    def active(self) -> set[str]:
        return {name for name, each in self.subscriptions.items() if not each.cancelled}


def fake_app(*, guarded: bool = False) -> FastAPI:
    """A fresh fake; guarded, it asks for a token."""
    app, state = FastAPI(), State()
    pages.install(app)
    if guarded:
        _guard(app)
    for part in (_operation, _streams, _tags, _subscriptions, _results, _network, _history):
        part(app, state)
    return app


def _guard(app: FastAPI) -> None:
    @app.middleware("http")
    async def check(request: Any, call_next: Any) -> Any:
        known = request.headers.get("authorization") == f"Bearer {TOKEN}"
        if request.url.path.startswith("/v1/") and not known:
            return problem(401, "token", "this token is not known")
        return await call_next(request)


def _operation(app: FastAPI, state: State) -> None:
    @app.get("/v1/health")
    def health() -> Health:
        seconds = time.monotonic() - state.began
        return Health(status="ok", version="0.1.0", seconds=seconds, streams={})

    @app.get("/v1/statistics")
    def totals() -> Totals:
        return Totals(
            streams=3,
            subscriptions=len(state.active),
            readers=1,
            step=state.items // 4,
            items=state.items,
            bytes=state.items * 164,
            quarantined=2,
            rate=4.1,
        )

    @app.get("/v1/me")
    def me() -> Me:
        limits = LimitsPage(
            subscriptions=None, query_bytes=None, results_per_second=None, readers=None
        )
        return Me(
            name="local",
            rights=["create", "operate"],
            streams=["*"],
            limits=limits,
            subscriptions=4,
        )

    @app.get("/v1/savings")
    def savings() -> SavingsPage:
        return SavingsPage(
            subscriptions=len(state.active),
            items_parsed=state.items,
            items_parsed_alone=4 * state.items,
            bytes_moved=1_240_000,
            bytes_moved_alone=5_980_000,
            busy_seconds=7.4,
            busy_seconds_alone=21.9,
        )


def _streams(app: FastAPI, state: State) -> None:
    def page(name: str, sample: int) -> StreamPage:
        items = 9 if name == "credit" else state.items
        make = canned.photon if name == "photons" else canned.reading
        texts = list(canned.fillers()) if name == "credit" else []
        found = [
            SampleItem(
                position=str(each),
                value=texts[each] if texts else make(each),
                tags=[_tag_on(tag) for tag in state.tags_on(each)] if name == "readings" else [],
            )
            for each in range(max(0, items - sample), items)
        ]
        return canned.stream_page(name, items, found)

    @app.get("/v1/streams")
    def streams() -> list[StreamSummary]:
        return [StreamSummary(**page(each, 0).model_dump()) for each in STREAMS]

    @app.get("/v1/streams/{name}", response_model=StreamPage)
    def stream(name: str, sample: int = 10) -> StreamPage | JSONResponse:
        if name not in STREAMS:
            return problem(404, "unknown-stream", f"there is no stream '{name}'")
        return page(name, sample)

    @app.get("/v1/streams/{name}/statistics")
    def statistics(name: str) -> StreamStatistics:
        elements = [
            ElementUse(path=path, occurrence=1.0, size=12.4) for path, _ in canned.LEAVES[name]
        ]
        return StreamStatistics(
            looked_at=100, size=164.0, frequency=4.0, elements=elements, increments={}
        )

    @app.get("/v1/streams/{name}/items")
    def items(name: str, after: str | None = None, limit: int = 100) -> Page:
        behind = -1 if after is None else int(after)
        found = [
            Item(position=str(number), value=each)
            for number, each in enumerate(canned.fillers())
            if number > behind
        ]
        last = found[-1].position if found else str(behind)
        return Page(items=found, next=last, more=False, finished=False)

    @app.get("/v1/streams/{name}/quarantine")
    def quarantine(name: str) -> QuarantinePage:
        entries = [_set_aside(each, each in state.replayed) for each in range(2)]
        return QuarantinePage(entries=entries if name == "readings" else [], total=2, next=2)

    @app.get("/v1/streams/{name}/quarantine/download")
    def download(name: str) -> Response:
        lines = (_set_aside(each, False).model_dump_json() + "\n" for each in range(2))
        return Response("".join(lines), media_type="application/x-ndjson")

    @app.post("/v1/streams/{name}/quarantine/{number}/replay", status_code=202)
    def replay(name: str, number: int, new: Replay) -> SetAside:
        state.replayed.add(number)
        return _set_aside(number, True)


def _set_aside(number: int, replayed: bool) -> SetAside:
    kind, reason = (("type", "level 'high' is no decimal"), ("malformed", "not closed: reading"))[
        number
    ]
    raw = "<reading><minute>31</minute><place>weir</place><level>high</level></reading>"
    return SetAside(
        number=number,
        kind=kind,
        reason=reason,
        position=None,
        file="readings-0007.xml",
        offset=1840 + number,
        step=12,
        raw=raw if number == 0 else raw[:44],
        replayed=replayed,
    )


def _tag_on(tag: Tag) -> TagOn:
    inside = tag.applicability.rpartition("{")[2].rstrip("}")
    return TagOn(
        object=inside or None, content=tag.content, tagger=tag.tagger, sign=tag.sign, type=tag.type
    )


def _tags(app: FastAPI, state: State) -> None:
    base = "/v1/streams/{name}/tags"

    def known(name: str) -> list[Tag]:
        return [tag for _, tag in state.tags] if name == "readings" else []

    @app.get(base)
    def tags(name: str, live: bool = False) -> list[Tag]:
        return known(name)

    @app.post(base, status_code=202)
    def attach(name: str, new: NewTag) -> Tag:
        return state.attach(new, "local")

    @app.get(base + "/cloud")
    def cloud(name: str) -> list[Word]:
        counted = Counter(tag.content for tag in known(name))
        return [
            Word(content=said, count=times, size=min(9, 3 * times))
            for said, times in counted.items()
        ]

    @app.get(base + "/opinion")
    def opinion(name: str) -> list[OpinionOf]:
        signs = Counter(tag.sign for tag in known(name))
        if not signs:
            return []
        return [OpinionOf(object=None, positive=signs["+"], negative=signs["-"], neutral=signs[""])]

    @app.get(base + "/taggers")
    def taggers(name: str) -> list[DeedOf]:
        deeds = Counter((tag.tagger, _tag_on(tag).object, tag.content) for tag in known(name))
        return [
            DeedOf(tagger=tagger, object=object, content=content, tags=times, tuples=12 * times)
            for (tagger, object, content), times in deeds.items()
        ]

    @app.get(base + "/items")
    def tagged(name: str, content: str | None = None, limit: int = 20) -> list[TaggedItemPage]:
        found = []
        for number in range(state.items - 40, state.items) if name == "readings" else ():
            tags = state.tags_on(number)
            if any(tag.content == content for tag in tags):
                on = [TagOnItem(**_tag_on(tag).model_dump(exclude={"type"})) for tag in tags]
                value = canned.reading(number)
                found.append(TaggedItemPage(position=str(number), value=value, tags=on))
        return found[-limit:]

    @app.get(base + "/related")
    def related(name: str, content: str) -> list[RelatedWord]:
        others = Counter(tag.content for tag in known(name) if tag.content != content)
        return [RelatedWord(content=said, items=12 * times) for said, times in others.items()]


def _subscriptions(app: FastAPI, state: State) -> None:
    @app.get("/v1/subscriptions")
    def subscriptions(cancelled: bool = False) -> list[SubscriptionSummary]:
        return [
            SubscriptionSummary(**each.model_dump())
            for each in state.subscriptions.values()
            if cancelled or not each.cancelled
        ]

    @app.post("/v1/subscriptions", response_model=None)
    def subscribe(
        new: NewSubscription, response: Response, dry_run: bool = False
    ) -> SubscriptionPage | Explained | JSONResponse:
        start = new.text.find(WRONG)
        if start >= 0:
            line = new.text.count("\n", 0, start) + 1
            column = start - new.text.rfind("\n", 0, start)
            return problem(
                400,
                "unknown-path",
                f"stream 'readings' has no path reading/{WRONG}",
                help="did you mean 'level'? known paths: reading/minute, reading/level",
                span={"start": start, "end": start + len(WRONG), "line": line, "column": column},
            )
        if dry_run:
            return _explained()
        response.status_code = 201
        return state.add(new.name or f"q{len(state.subscriptions)}", new.text)

    @app.get("/v1/subscriptions/{name}", response_model=SubscriptionPage)
    def subscription(name: str) -> SubscriptionPage | JSONResponse:
        if name not in state.subscriptions:
            return problem(404, "unknown-subscription", f"there is no subscription '{name}'")
        return state.subscriptions[name]

    @app.delete("/v1/subscriptions/{name}", status_code=204)
    def cancel(name: str) -> None:
        state.subscriptions[name].cancelled = True

    @app.get("/v1/subscriptions/{name}/costs")
    def costs(name: str) -> Costs:
        return Costs(
            subscription=name,
            peer="SP3",
            cost=9.31e-06,
            made_from=[canned.MADE_FROM.get(name, "photons")],
            traffic={"SP1-SP3": 3100.0},
            work={"SP1": 0.0021, "SP3": 0.0008},
            dependents=[each for each, made in canned.MADE_FROM.items() if made == name],
            same_results=[],
            cancelling={"ends": [name], "lives_on": [], "for": []},
        )


def _explained() -> Explained:
    return Explained(
        kind="items",
        streams=["photons"],
        algebra="Query <photons> … </photons>\n  Construct <hot>…</hot>\n    Scan photons as $p",
        properties="stream photons\n  selects en >= 1.3\n  returns det_time, en",
        sharing="q5 at SP3 (sharing, cost 9.31e-06)\n  tap stream vela at SP1\n"
        "    select en >= 1.3\n  route SP1 -> SP3\nnot sharing would cost 2.73e-05 instead of "
        "9.31e-06",
        evaluation="stream photons: nested loop over 5 channels",
        sql="SELECT c.channel, b.position FROM batch b CROSS JOIN channels c WHERE b.en >= c.p0",
        cost=9.31e-06,
        refusal=None,
    )


def _results(app: FastAPI, state: State) -> None:
    @app.get("/v1/subscriptions/{name}/events")
    def events(name: str, last_event_id: LastId = None) -> StreamingResponse:
        async def told() -> AsyncIterator[str]:
            number = 0 if last_event_id is None else int(last_event_id.split(".")[0])
            yield "retry: 1000\n\n"
            while True:
                number += 1
                position = f"{number}.0"
                data = json.dumps({"position": position, "value": canned.vela_result(number)})
                yield f"id: {position}\nevent: item\ndata: {data}\n\n"
                await asyncio.sleep(0.01 if number < 40 else 0.25)

        return StreamingResponse(told(), media_type="text/event-stream")


def _network(app: FastAPI, state: State) -> None:
    @app.get("/v1/network")
    def network(strategy: Annotated[StrategyName | None, Query()] = None) -> NetworkPage:
        return canned.network(strategy or "sharing", state.active)

    @app.get("/v1/plans/{name}")
    def plan(name: str, strategy: Annotated[StrategyName | None, Query()] = None) -> PlanPage:
        return _plan(name, strategy or "sharing")

    @app.get("/v1/dependencies")
    def dependencies() -> Dependencies:
        names = [each for each in canned.RATES if each in state.active]
        edges = [Edge(shared=canned.MADE_FROM.get(each, "photons"), by=each) for each in names]
        return Dependencies(names=["photons", "readings", *names], edges=edges)


def _plan(name: str, strategy: StrategyName) -> PlanPage:
    shared = canned.MADE_FROM.get(name) if strategy == "sharing" else None
    factor = {"sharing": 1.0, "query-shipping": 2.9, "data-shipping": 14.1}[strategy]
    given: dict[str, Any] = {
        "stream": "photons",
        "tapped": shared or "photons",
        "shared_with": shared,
        "tap": "SP1",
        "operators": ["tap", "select en >= 1.3"],
        "route": ["SP1", "SP3"],
        "post": ["restructure"],
        "conditions": [
            "stream: both are made from 'photons'",
            "selection: every item asked for is in the stream, which holds those with ra >= 120",
            "elements: what is needed is in the stream: ra, en, det_time",
        ],
    }
    return PlanPage(
        subscription=name,
        peer="SP3",
        strategy=strategy,
        cost=9.31e-06 * factor,
        traffic=3100.0 * factor,
        inputs=[given],  # type: ignore[list-item]
        text=f"{name} at SP3 ({strategy})\n  tap stream vela at SP1\n  route SP1 -> SP3",
    )


def _history(app: FastAPI, state: State) -> None:
    @app.post("/v1/query")
    def ask(question: Question) -> Answered:
        now = question.now or "2004-02-01T09:00:00"
        limit = "2000" if now < "2001-04-23" else "5000" if now < "2004-02" else "6500"
        document = (
            '<creditAccounts><account id="1234"><customer>John Smith</customer>'
            f"<creditLimit>{limit}</creditLimit></account></creditAccounts>"
        )
        return Answered(
            items=[document],
            now=now,  # type: ignore[arg-type]
            strategy=question.strategy,
            engine="saxon",
            streams=["credit"],
            seconds=0.021,
        )
