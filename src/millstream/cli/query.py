"""millstream query"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from millstream.cli.arguments import (
    FormatOption,
    ItemOption,
    JsonOption,
    KeyOption,
    LanguageOption,
    NowOption,
    OrderOption,
    SchemaOption,
    SetOption,
    SpaceOption,
    StrategyOption,
    StreamOption,
    TaggerOption,
    TextArgument,
    ThesaurusOption,
    query_text,
)
from millstream.cli.console import emit_json, say
from millstream.cli.door import create_streams, open_mill
from millstream.cli.formats import write_subscription
from millstream.cli.functions import FunctionsOption, register_files
from millstream.cli.history_arguments import instant
from millstream.cli.history_engine import EngineOption
from millstream.cli.history_query import histories_of
from millstream.cli.progress import Tally, shown_progress
from millstream.cli.space_query import answer_from_histories, answer_from_live
from millstream.cli.stream_request import check_sources, stream_requests, subscription_choices
from millstream.languages.compiling import Language, language_of
from millstream.model.tags.vocabulary import tag_vocabulary

if TYPE_CHECKING:
    from millstream.mill import Stream, Subscription


def query(
    text: TextArgument,
    stream: StreamOption = [],  # noqa: B006 typer makes a new list for every call
    schema: SchemaOption = None,
    order: OrderOption = None,
    item: ItemOption = None,
    key: KeyOption = None,
    set_: SetOption = None,
    language: LanguageOption = "auto",
    tagger: TaggerOption = None,
    thesaurus: ThesaurusOption = None,
    strategy: StrategyOption = None,
    engine: EngineOption = "auto",
    now: NowOption = None,
    functions: FunctionsOption = None,
    format: FormatOption = "xml",
    space: SpaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a query once over files, and print the result stream.

    With --space it is answered from what a space holds: histories, or what is live in its streams.
    """
    register_files(functions)
    if space is not None:
        if stream:
            raise typer.BadParameter("streams are those of the space, if there is --space")
        asked, at = query_text(text), instant(now, "--now")
        if language_of(asked, language) is Language.TAGQL:
            answer_from_live(space, asked, strategy, at, thesaurus, format, as_json)
        else:
            answer_from_histories(space, asked, strategy, at, format, as_json, engine)
        return
    if not stream:
        raise typer.BadParameter("a query needs --stream NAME=PATH, or --space SPACE")
    requests = stream_requests(stream, set_, schema=schema, order_by=order, item=item, key=key)
    choices = subscription_choices(set_)
    asked = query_text(text)
    check_sources(requests)
    instant_now = instant(now, "--now")
    histories = histories_of(requests)
    if histories is not None:
        histories.answer(asked, strategy, instant_now, format, as_json, engine)
        return
    if strategy is not None:
        raise typer.BadParameter("--strategy is for histories, which have tag structures")
    with open_mill(None, vocabulary=tag_vocabulary(thesaurus)) as mill:
        streams = create_streams(mill, requests)
        subscription = mill.subscribe(
            asked, end=choices.end, empty=choices.empty, language=language, tagger=tagger
        )
        with shown_progress("query") as tally:
            mill.run(until="drained", on_progress=tally)
        if as_json:
            emit_json(answer(subscription, streams, tally))
        else:
            write_subscription(subscription, format)
        _tell_quarantine(streams)
    say(f"{tally} in {tally.seconds:.1f} s")


def answer(subscription: Subscription, streams: tuple[Stream, ...], tally: Tally) -> dict[str, Any]:
    """The facts of an answered query."""
    return {
        "opening": subscription.opening,
        "items": list(subscription.results()),
        "closing": subscription.closing,
        "streams": {
            each.name: {"inferred": list(each.notes), **each.statistics()} for each in streams
        },
        "run": tally.facts(),
    }


def _tell_quarantine(streams: tuple[Stream, ...]) -> None:
    for stream in streams:
        entries = stream.quarantine()
        if entries:
            say(f"{stream.name}: {len(entries):,} in quarantine, the first: {entries[0].reason}")
