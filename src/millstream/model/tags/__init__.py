"""Streaming tags: labels that travel inside a stream, before the objects they are attached to."""

from millstream.model.tags.applicability import (
    EVERYTHING,
    Applicability,
    ObjectName,
    on_attributes,
    parse_applicability,
)
from millstream.model.tags.elements import Element, Placed, StreamTuple, place
from millstream.model.tags.event_time import TimeForm
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.marks import Mark, MarkedTuple, PlacedTag
from millstream.model.tags.mode import Mode
from millstream.model.tags.name_pattern import NamePattern
from millstream.model.tags.sign import Sign
from millstream.model.tags.stix import Reference, Stix, build_stix
from millstream.model.tags.stix_text import format_stix, parse_stix
from millstream.model.tags.stream_shape import StreamAttribute, StreamShape, check_tag
from millstream.model.tags.tag_sets import NO_TAGS, TagSets
from millstream.model.tags.tag_type import Classifier, TagType, default_classifier
from millstream.model.tags.thesaurus import Thesaurus, emotions, read_thesaurus
from millstream.model.tags.tick_tag import INSTANT, TickTag, tick_tag
from millstream.model.tags.validity import Validity
from millstream.model.tags.vocabulary import TagFunction, TagVocabulary, tag_vocabulary

__all__ = [
    "EVERYTHING",
    "INSTANT",
    "NO_TAGS",
    "Applicability",
    "Classifier",
    "Element",
    "Granularity",
    "Mark",
    "MarkedTuple",
    "Mode",
    "NamePattern",
    "ObjectName",
    "Placed",
    "PlacedTag",
    "Reference",
    "Sign",
    "Stix",
    "StreamAttribute",
    "StreamShape",
    "StreamTuple",
    "TagFunction",
    "TagSets",
    "TagType",
    "TagVocabulary",
    "Thesaurus",
    "TickTag",
    "TimeForm",
    "Validity",
    "build_stix",
    "check_tag",
    "default_classifier",
    "emotions",
    "format_stix",
    "on_attributes",
    "parse_applicability",
    "parse_stix",
    "place",
    "read_thesaurus",
    "tag_vocabulary",
    "tick_tag",
]
