"""Random conditions on the attributes and tags of random streams."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from millstream.languages.tagql import syntax
from millstream.languages.tagql.words import COMPARISONS, TagField
from millstream.model.tags.duration import SECOND
from millstream.testing.tags.strategies.streams import CONTENTS, KEYS, TAGGERS


def name(source: str, attribute: str) -> syntax.Name:
    return syntax.Name((source, attribute))


def _tag(field: TagField, source: str) -> syntax.TagReference:
    return syntax.TagReference(field, source)


_OPERATORS = st.sampled_from(COMPARISONS)
_NUMBERS = st.sampled_from(("0", "1", "2.5", "4")).map(syntax.NumberLiteral)
_KEYS = st.sampled_from(KEYS).map(syntax.StringLiteral)
_CONTENTS = st.sampled_from(CONTENTS).map(syntax.StringLiteral)
_REGIONS = st.sampled_from(
    (
        syntax.Region(syntax.RegionKind.RECTANGLE, ("0", "0", "1", "1")),
        syntax.Region(syntax.RegionKind.SQUARE, ("0.5", "0", "1")),
        syntax.Region(syntax.RegionKind.CIRCLE, ("2", "2", "1.5")),
    )
)


def data_predicates(source: str) -> SearchStrategy[syntax.Condition]:
    """Conditions on the attributes of a source."""
    number, key, location = (name(source, each) for each in ("n", "k", "loc"))
    sums = st.builds(syntax.Arithmetic, st.sampled_from("+-*/"), st.just(number), _NUMBERS)
    values = st.one_of(st.just(number), sums, st.just(syntax.Call("ABS", (number,))))
    near = syntax.Call("DIST", (location, syntax.Call("POINT", (syntax.NumberLiteral("1"),) * 2)))
    return st.one_of(
        st.builds(syntax.Compare, _OPERATORS, values, _NUMBERS),
        st.builds(syntax.Compare, _OPERATORS, st.just(key), _KEYS),
        st.builds(syntax.Compare, st.sampled_from("<>"), st.just(near), st.just(_HALF)),
        st.builds(syntax.In, st.just(number), st.just(_SOME_NUMBERS), st.booleans()),
        st.builds(syntax.Between, st.just(number), _NUMBERS, values, st.booleans()),
        st.builds(syntax.IsNull, st.sampled_from((number, key)), st.booleans()),
        st.builds(syntax.Like, st.just(key), st.sampled_from(("p", "_", "%q%")), st.booleans()),
        st.builds(syntax.Within, st.just(location), _REGIONS, st.booleans()),
    )


_HALF = syntax.NumberLiteral("1.2")
_SOME_NUMBERS = (syntax.NumberLiteral("1"), syntax.NumberLiteral("-2"))


def tag_predicates(source: str) -> SearchStrategy[syntax.Condition]:
    """Conditions on a tag of a source."""
    content = st.just(_tag(TagField.CONTENT, source))
    objects = st.lists(_objects(source), min_size=1, max_size=2, unique=True).map(tuple)
    two = st.lists(_CONTENTS, min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(syntax.Compare, st.sampled_from(("=", "<>")), content, _CONTENTS),
        _field_comparison(TagField.SIGN, source, ("+", "-", "")),
        _field_comparison(TagField.TYPE, source, ("objective", "subjective", "junk")),
        _field_comparison(TagField.TAGGER, source, TAGGERS),
        _field_comparison(TagField.MODE, source, ("OVERWRITE", "COMBINE")),
        st.builds(
            syntax.Compare,
            _OPERATORS,
            st.sampled_from((TagField.LIFESPAN, TagField.TIME)).map(
                lambda field: _tag(field, source)
            ),
            st.just(syntax.DurationLiteral(3 * SECOND)),
        ),
        st.builds(syntax.IsNull, st.just(_tag(TagField.LIFESPAN, source)), st.booleans()),
        st.builds(syntax.Like, content, st.sampled_from(("%a%", "J_yful", "h%")), st.booleans()),
        st.builds(syntax.In, content, two, st.booleans()),
        st.builds(syntax.ObjectIs, objects, st.booleans()),
        st.builds(syntax.Equivalent, content, _CONTENTS),
        tag_likenesses(source),
    )


def tag_likenesses(source: str) -> SearchStrategy[syntax.Condition]:
    """Conditions on the objects that a tag of a source has in common with a content."""
    content = st.just(_tag(TagField.CONTENT, source))
    more = st.sampled_from((">", ">="))
    return st.builds(syntax.Similar, content, _CONTENTS, more, st.just("0.5")) | st.builds(
        syntax.CoOccurs, content, _CONTENTS, st.just(">="), st.just("2")
    )


def tag_pairs(left: str, right: str) -> SearchStrategy[syntax.Condition]:
    """Conditions on a tag of one source and one of another."""
    one, other = (st.just(_tag(TagField.CONTENT, source)) for source in (left, right))
    return st.one_of(
        st.builds(syntax.Compare, st.just("="), one, other),
        st.builds(syntax.Equivalent, one, other),
        pair_likenesses(left, right),
    )


def pair_likenesses(left: str, right: str) -> SearchStrategy[syntax.Condition]:
    """Conditions on the objects that a tag of one source and one of another have in common."""
    one, other = (st.just(_tag(TagField.CONTENT, source)) for source in (left, right))
    share = st.sampled_from(("0.3", "0.5"))
    return st.builds(syntax.Similar, one, other, st.just(">="), share) | st.builds(
        syntax.CoOccurs, one, other, st.just(">="), st.just("1")
    )


def _field_comparison(
    field: TagField, source: str, values: Sequence[str]
) -> SearchStrategy[syntax.Condition]:
    literal = st.sampled_from(values).map(syntax.StringLiteral)
    return st.builds(
        syntax.Compare, st.sampled_from(("=", "<>")), st.just(_tag(field, source)), literal
    )


def _objects(source: str) -> SearchStrategy[syntax.ObjectReference]:
    named = st.sampled_from((("k",), ("n",), ("loc",)))
    return st.just(syntax.ObjectReference(source)) | st.builds(
        syntax.ObjectReference, st.just(source), named, st.booleans()
    )


def conditions(
    *predicates: SearchStrategy[syntax.Condition],
) -> SearchStrategy[syntax.Condition]:
    """And, or and not of some predicates."""

    def grown(inner: SearchStrategy[syntax.Condition]) -> SearchStrategy[syntax.Condition]:
        two = st.lists(inner, min_size=2, max_size=2).map(tuple)
        return st.one_of(
            st.builds(syntax.And, two), st.builds(syntax.Or, two), st.builds(syntax.Not, inner)
        )

    return st.recursive(st.one_of(*predicates), grown, max_leaves=3)
