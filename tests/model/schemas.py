"""Random schemas."""

from __future__ import annotations

from hypothesis import strategies as st

from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType

names = st.text("abcxyz_-.:é", min_size=1, max_size=8)
types = st.sampled_from(ValueType)
attributes = st.lists(
    st.builds(Attribute, names, types, st.booleans()), max_size=3, unique_by=lambda each: each.name
).map(tuple)


def elements() -> st.SearchStrategy[Element]:
    leaves = st.builds(
        Element,
        names,
        st.sampled_from(Occurs),
        st.sampled_from((Content.LEAF, Content.RAW)),
        st.just(()),
        attributes,
        types,
    )
    return st.recursive(leaves, _nested, max_leaves=12)


def _nested(children: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
    members = st.lists(children, max_size=4, unique_by=lambda each: each.name).map(tuple)
    return st.builds(
        Element, names, st.sampled_from(Occurs), st.just(Content.NESTED), members, attributes
    )


schemas = st.builds(Schema, names, elements())
