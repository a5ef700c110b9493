"""Which tags are on which attributes of which tuples, as one statement of SQL."""

from __future__ import annotations

import sqlite3

RESOLVE = """
WITH
reached AS (
    SELECT t.stream, t.position AS tag, u.position AS tuple, u.time
    FROM tags t JOIN tuples u ON u.stream = t.stream
    WHERE u.position > t.position AND u.time >= t.time
      AND matches(t.streams, u.stream) AND matches(t.tuples, u.id)),
matching AS (
    SELECT r.* FROM reached r JOIN tags t ON t.stream = r.stream AND t.position = r.tag
    WHERE (t.lifespan IS NULL OR r.time < t.time + t.lifespan)
      AND (NOT EXISTS (SELECT 1 FROM objects o WHERE o.stream = r.stream AND o.tag = r.tag)
        OR EXISTS (
            SELECT 1 FROM objects o JOIN facts f USING (stream, attribute)
            WHERE o.stream = r.stream AND o.tag = r.tag AND f.position = r.tuple))),
runs AS (
    SELECT stream, tag, first, COALESCE((
        SELECT MIN(e.position) FROM elements e
        WHERE e.stream = s.stream AND e.position > s.first AND NOT e.is_tuple), 1e18) AS past
    FROM (
        SELECT t.stream, t.position AS tag, (
            SELECT MIN(e.position) FROM elements e
            WHERE e.stream = t.stream AND e.position > t.position AND e.is_tuple) AS first
        FROM tags t) s),
attached AS (
    SELECT m.* FROM matching m
    JOIN tags t ON t.stream = m.stream AND t.position = m.tag
    JOIN runs r ON r.stream = m.stream AND r.tag = m.tag
    WHERE t.lifespan IS NOT NULL
       OR (t.tuples = '*' AND m.tuple = (
            SELECT MIN(n.tuple) FROM matching n WHERE n.stream = m.stream AND n.tag = m.tag))
       OR (t.tuples <> '*' AND m.tuple >= r.first AND m.tuple < r.past)),
carried AS (
    SELECT a.stream, a.tag, a.tuple, o.attribute, o.of_value, f.value
    FROM attached a
    JOIN objects o ON o.stream = a.stream AND o.tag = a.tag
    JOIN facts f ON f.stream = a.stream AND f.position = a.tuple AND f.attribute = o.attribute),
bound AS (
    SELECT c.* FROM carried c JOIN tags t ON t.stream = c.stream AND t.position = c.tag
    WHERE c.of_value AND (t.lifespan IS NULL OR c.tuple = (
        SELECT MIN(d.tuple) FROM carried d
        WHERE d.stream = c.stream AND d.tag = c.tag AND d.attribute = c.attribute
          AND d.of_value))),
layers AS (
    SELECT stream, position AS tag, NULL AS attribute, layer FROM (
        SELECT t.*, CASE
            WHEN lifespan IS NOT NULL AND streams = '*' AND tuples = '*' THEN 'stream'
            ELSE 'tuple' END AS layer FROM tags t
        UNION
        SELECT t.*, 'stream' FROM tags t
        WHERE TRIM(content) = '' AND lifespan IS NULL AND streams = '*' AND tuples = '*') w
    WHERE NOT EXISTS (SELECT 1 FROM objects o WHERE o.stream = w.stream AND o.tag = w.position)
    UNION ALL
    SELECT stream, tag, attribute, CASE WHEN of_value THEN 'value' ELSE 'attribute' END
    FROM objects),
placed AS (
    SELECT a.stream, a.tag, a.tuple, l.attribute, l.layer, NULL AS value
    FROM attached a JOIN layers l USING (stream, tag) WHERE l.attribute IS NULL
    UNION ALL
    SELECT stream, tag, tuple, attribute, 'attribute', value FROM carried WHERE NOT of_value
    UNION ALL
    SELECT c.stream, c.tag, c.tuple, c.attribute, 'value', c.value
    FROM carried c JOIN tags t ON t.stream = c.stream AND t.position = c.tag
    WHERE c.of_value AND (t.lifespan IS NULL OR c.value = (
        SELECT b.value FROM bound b
        WHERE b.stream = c.stream AND b.tag = c.tag AND b.attribute = c.attribute))),
standing AS (
    SELECT p.* FROM placed p JOIN tags old ON old.stream = p.stream AND old.position = p.tag
    WHERE TRIM(old.content) <> '' AND NOT EXISTS (
        SELECT 1 FROM tags new
        JOIN layers l ON l.stream = new.stream AND l.tag = new.position
        JOIN reached r ON r.stream = new.stream AND r.tag = new.position
        WHERE new.stream = p.stream AND new.mode = 'OVERWRITE' AND new.tagger = old.tagger
          AND (new.time, new.position) > (old.time, old.position)
          AND r.tuple = p.tuple AND l.layer = p.layer AND l.attribute IS p.attribute
          AND (l.layer <> 'value' OR EXISTS (
            SELECT 1 FROM bound b
            WHERE b.stream = new.stream AND b.tag = new.position AND b.attribute = p.attribute
              AND b.tuple <= p.tuple AND b.value = p.value))))
INSERT INTO marks
SELECT DISTINCT s.stream, s.tuple, COALESCE(s.attribute, a.attribute), s.layer, s.tag
FROM standing s JOIN attributes a ON a.stream = s.stream
"""


def resolve_in_sql(connection: sqlite3.Connection) -> None:
    """Fill the table of marks; a tag on whole tuples marks each of their attributes."""
    connection.execute(RESOLVE)
