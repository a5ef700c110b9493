"""Random syntax trees, of all that can be written."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from millstream.languages.tagql import syntax
from millstream.languages.tagql.words import COMPARISONS, FUNCTIONS, RESERVED, TagField
from millstream.model.tags import Mode, Sign, TagType
from millstream.model.tags.duration import LONGEST

NAMES = st.one_of(
    st.sampled_from(("pid", "loc", "A", "value", "min", "h", "I", "one", "jaccard", "é", "a b")),
    st.sampled_from(sorted(RESERVED)).map(str.lower),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=4),
)
STRINGS = st.text(st.sampled_from("ab'\"%_‘’`\n -") | st.characters(codec="utf-8"), max_size=6)
FILLED = STRINGS.filter(str.strip)
NUMBERS = st.sampled_from(("0", "7", "120.0", ".5", "1e3", "2.5E-7"))
SIGNED = st.builds("{}{}".format, st.sampled_from(("", "-")), NUMBERS)
DURATIONS = st.integers(1, LONGEST) | st.sampled_from((60_000_000, 1_500_000))
OPERATORS = st.sampled_from(COMPARISONS)
MAYBE_NAME = st.none() | NAMES


def some(each: SearchStrategy, least: int = 1, most: int = 3) -> SearchStrategy:
    return st.lists(each, min_size=least, max_size=most).map(tuple)


LITERALS = st.one_of(
    st.builds(syntax.StringLiteral, STRINGS),
    st.builds(syntax.NumberLiteral, NUMBERS),
    st.builds(syntax.DurationLiteral, DURATIONS),
)
CHOICES = st.builds(syntax.StringLiteral, STRINGS) | st.builds(syntax.NumberLiteral, SIGNED)
TAGS = st.builds(syntax.TagReference, st.just(TagField.CONTENT), MAYBE_NAME)
LEAVES = st.one_of(
    LITERALS,
    st.builds(syntax.Name, some(NAMES)),
    st.builds(syntax.TagReference, st.sampled_from((TagField.TAGGER, TagField.TIME)), MAYBE_NAME),
    TAGS,
    st.just(syntax.Call("COUNT", (syntax.Star(),))),
)


def calls(inner: SearchStrategy) -> SearchStrategy:
    def call(function: str) -> SearchStrategy:
        count = FUNCTIONS[function]
        return st.builds(syntax.Call, st.just(function), some(inner, count, count))

    return st.sampled_from(sorted(FUNCTIONS)).flatmap(call)


def compound_values(inner: SearchStrategy) -> SearchStrategy:
    return st.one_of(
        calls(inner),
        st.builds(syntax.Negative, inner),
        st.builds(syntax.Arithmetic, st.sampled_from("+-*/"), inner, inner),
    )


VALUES = st.recursive(LEAVES, compound_values, max_leaves=5)
REGIONS = st.sampled_from(syntax.RegionKind).flatmap(
    lambda kind: st.builds(
        syntax.Region,
        st.just(kind),
        st.tuples(*[SIGNED] * (len(kind.value) - 1), NUMBERS),
    )
)
OBJECTS = st.one_of(
    st.builds(syntax.ObjectReference, NAMES),
    st.builds(syntax.ObjectReference, NAMES, some(NAMES, 1, 2), st.booleans()),
)
SETTLED = st.one_of(
    st.tuples(st.just(TagField.SIGN), st.sampled_from([each.value for each in Sign])),
    st.tuples(st.just(TagField.TYPE), st.sampled_from([each.value for each in TagType])),
    st.tuples(st.just(TagField.MODE), st.sampled_from([each.name for each in Mode])),
).flatmap(
    lambda pair: st.builds(
        syntax.Compare,
        OPERATORS,
        st.builds(syntax.TagReference, st.just(pair[0]), MAYBE_NAME),
        st.just(syntax.StringLiteral(pair[1])),
    )
)
PREDICATES = st.one_of(
    st.builds(syntax.Compare, OPERATORS, VALUES, VALUES),
    SETTLED,
    st.builds(syntax.Like, VALUES, STRINGS, st.booleans()),
    st.builds(syntax.In, VALUES, some(CHOICES), st.booleans()),
    st.builds(syntax.Between, VALUES, VALUES, VALUES, st.booleans()),
    st.builds(syntax.IsNull, VALUES, st.booleans()),
    st.builds(syntax.Within, VALUES, REGIONS, st.booleans()),
    st.builds(syntax.ObjectIs, some(OBJECTS), st.booleans()),
    st.builds(syntax.Equivalent, TAGS, TAGS | VALUES),
    st.builds(syntax.Similar, TAGS, TAGS, OPERATORS, NUMBERS),
    st.builds(syntax.CoOccurs, TAGS, TAGS, OPERATORS, NUMBERS),
)


def compound_conditions(inner: SearchStrategy) -> SearchStrategy:
    return st.one_of(
        st.builds(syntax.And, some(inner, 2, 3)),
        st.builds(syntax.Or, some(inner, 2, 3)),
        st.builds(syntax.Not, inner),
    )


CONDITIONS = st.recursive(PREDICATES, compound_conditions, max_leaves=6)
SOURCES = some(st.builds(syntax.Source, NAMES, MAYBE_NAME, st.none() | DURATIONS), 1, 3)
GROUPINGS = st.one_of(
    st.none(),
    st.builds(syntax.GroupByNames, some(st.builds(syntax.Name, some(NAMES)))),
    st.builds(syntax.GroupByTags, untagged=st.booleans()),
    st.builds(syntax.GroupByTags, st.just(syntax.Likeness.DICTIONARY)),
    st.builds(syntax.GroupByTags, st.just(syntax.Likeness.JACCARD), NUMBERS, st.booleans()),
)
COLUMNS = some(
    st.builds(syntax.Column, VALUES, MAYBE_NAME) | st.builds(syntax.AllColumns, MAYBE_NAME)
)
SELECTS = st.builds(
    syntax.Select, COLUMNS, SOURCES, st.none() | CONDITIONS, GROUPINGS, st.booleans()
)
WITH_OPTIONS = {
    "sign": st.sampled_from(Sign),
    "lifespan": st.none() | DURATIONS,
}
ATTACHMENTS = st.one_of(
    st.builds(
        syntax.AttachTag,
        st.builds(syntax.StringLiteral, FILLED) | st.builds(syntax.OneOf, some(FILLED)),
        OBJECTS,
        st.booleans(),
        st.one_of(st.none(), CONDITIONS, SELECTS),
        mode=st.sampled_from(Mode),
        **WITH_OPTIONS,
    ),
    st.builds(
        syntax.AttachTag,
        st.builds(syntax.StringLiteral, st.just("")),
        OBJECTS,
        mode=st.just(Mode.OVERWRITE),
        **WITH_OPTIONS,
    ),
)
STATEMENTS = st.one_of(
    ATTACHMENTS,
    SELECTS,
    st.builds(syntax.SelectTags, SOURCES, st.none() | CONDITIONS),
    st.builds(syntax.SelectTagged, SOURCES, st.none() | CONDITIONS, st.booleans()),
)
