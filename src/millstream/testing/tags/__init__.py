"""What tags mean, in plain Python: the reference that engines are compared with."""

from millstream.testing.tags.answering import Answer, answer
from millstream.testing.tags.attachment import attach
from millstream.testing.tags.relation import Relation, Row, relation_of
from millstream.testing.tags.resolution import resolve
from millstream.testing.tags.sources import TaggedStream
from millstream.testing.tags.tag_join import TaggedPair

__all__ = [
    "Answer",
    "Relation",
    "Row",
    "TaggedPair",
    "TaggedStream",
    "answer",
    "attach",
    "relation_of",
    "resolve",
]
