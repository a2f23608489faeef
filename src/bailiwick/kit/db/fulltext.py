"""Full-text indexes: one interface to SQLite's FTS5 and to PostgreSQL's text search.

A query is a tree of words, never text: nothing that a person types becomes syntax. Case, accents
and punctuation make no difference on either database.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    String,
    TextClause,
    bindparam,
    cast,
    column,
    func,
    literal,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, REAL, TSQUERY, TSVECTOR
from sqlalchemy.ext.asyncio import AsyncSession

# Scripts without spaces between words: each character is a word, so that any part is found.
_UNSPACED = re.compile("([\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
_NO_WORD = re.compile(r"[\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
# PostgreSQL refuses an index entry of a megabyte, so only the beginning of a text is indexed.
_MOST = 150_000
_LONGEST_WORD = 200
WeightLetter = Literal["A", "B", "C", "D"]


@dataclass(frozen=True, slots=True)
class Field:
    """A part of what is indexed. Fields may share a letter; one of them is then `marked`."""

    letter: WeightLetter
    weight: float
    marked: bool = False


@dataclass(frozen=True, slots=True)
class MatchWords:
    """Words in sequence, in any or some fields; the last may be a prefix."""

    words: str
    fields: tuple[str, ...] = ()
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Each:
    """All of these."""

    parts: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """One of these."""

    parts: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Without:
    """Matches of the first without those of the second."""

    wanted: "Expression"
    unwanted: "Expression"


Expression = MatchWords | Each | Either | Without


@dataclass(frozen=True, slots=True)
class Lookup:
    """The index as a part of an SQL statement."""

    source: FromClause
    number: ColumnElement[int]
    matches: ColumnElement[bool]
    score: ColumnElement[float]  # higher is better
    is_sqlite: bool

    def kept(self, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
        """Conditions on rows of another table, checked for each match in turn.

        SQLite would turn a join, and even EXISTS, the wrong way round: it would scan the other
        table and ask the index about each of its rows.
        """
        found = select(literal(1)).where(*conditions)
        return found.scalar_subquery().is_not(None) if self.is_sqlite else found.exists()


def folded(written: str) -> str:
    """A text as words in lower case without accents, separated by single spaces."""
    if not written.isascii():
        written = _ACCENTS.sub("", unicodedata.normalize("NFKD", spaced(written)))
    return _NO_WORD.sub(" ", written.lower()).strip()


def spaced(written: str) -> str:
    """A text with spaces between the characters of scripts that have none."""
    return written if written.isascii() else _UNSPACED.sub(r" \1 ", written)


class TextIndex:
    """A full-text index that a migration created."""

    def __init__(self, name: str, fields: Mapping[str, Field]) -> None:
        self.name = name
        self._fields = fields
        weights = {field.letter: field.weight for field in fields.values()}
        # PostgreSQL takes none above 1.
        self._weights = [weights.get(letter, 0.0) / max(weights.values()) for letter in "DCBA"]
        self._sqlite_add, self._postgresql_add = self._adding()

    async def add(self, session: AsyncSession, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows with `number` and every field; a number must be new."""
        if not rows:
            return
        if is_sqlite(session):
            spaces = [{name: _spaced(value) for name, value in row.items()} for row in rows]
            await session.execute(self._sqlite_add, spaces)
        else:
            await session.execute(self._postgresql_add, [self._as_words(row) for row in rows])

    async def remove(self, session: AsyncSession, numbers: Sequence[int]) -> None:
        """Remove rows that are in the index."""
        key = "rowid" if is_sqlite(session) else "number"
        rows = [{"number": number} for number in numbers]
        if rows:
            await session.execute(text(f"DELETE FROM {self.name} WHERE {key} = :number"), rows)  # noqa: S608

    async def settle(self, session: AsyncSession) -> None:
        """Merge some of the segments that small additions left; PostgreSQL does so by itself."""
        if is_sqlite(session):
            await session.execute(
                text(f"INSERT INTO {self.name}({self.name}, rank) VALUES('merge', 500)")
            )

    def lookup(self, session: AsyncSession, expression: Expression) -> Lookup:
        """The rows that an expression matches."""
        given = literal(self.written(session, expression), String)
        return self._in_sqlite(given) if is_sqlite(session) else self._in_postgresql(given)

    def prepared(self, name: str, *, sqlite: bool) -> Lookup:
        """The lookup for an expression that is bound later by name, in its `written` form."""
        given = bindparam(name, type_=String)
        return self._in_sqlite(given) if sqlite else self._in_postgresql(given)

    def written(self, session: AsyncSession, expression: Expression) -> str:
        """An expression in the database's query syntax."""
        return self._fts5(expression) if is_sqlite(session) else self._tsquery(expression)

    def _in_sqlite(self, given: ColumnElement[str]) -> Lookup:
        number = literal_column(f"{self.name}.rowid", BigInteger)
        whole = literal_column(self.name)
        weights = ", ".join(str(field.weight) for field in self._fields.values())
        return Lookup(
            source=table(self.name),
            number=number,
            matches=whole.op("MATCH")(given),
            score=-literal_column(f"bm25({self.name}, {weights})"),
            is_sqlite=True,
        )

    def _in_postgresql(self, given: ColumnElement[str]) -> Lookup:
        source = table(self.name, column("number", BigInteger), column("words", TSVECTOR))
        query = cast(given, TSQUERY)
        weights = cast(literal(self._weights, ARRAY(REAL)), ARRAY(REAL))
        return Lookup(
            source=source,
            number=source.c.number,
            matches=source.c.words.op("@@")(query),
            score=func.ts_rank(weights, source.c.words, query, 1),
            is_sqlite=False,
        )

    def _fts5(self, expression: Expression) -> str:
        match expression:
            case MatchWords(words, fields, prefix):
                quoted = '"' + spaced(words).replace('"', '""').replace("\0", " ") + '"'
                place = "{" + " ".join(fields) + "} : " if fields else ""
                return f"{place}{quoted}{' *' if prefix else ''}"
            case Each(parts):
                return "(" + " AND ".join(map(self._fts5, parts)) + ")"
            case Either(parts):
                return "(" + " OR ".join(map(self._fts5, parts)) + ")"
            case Without(positive, negative):
                return f"({self._fts5(positive)} NOT {self._fts5(negative)})"

    def _tsquery(self, expression: Expression) -> str:
        match expression:
            case MatchWords(words, fields, prefix):
                found = [self._phrase(folded(words), name, prefix=prefix) for name in fields]
                found = found or [self._phrase(folded(words), None, prefix=prefix)]
                return "(" + " | ".join(found) + ")"
            case Each(parts):
                return "(" + " & ".join(map(self._tsquery, parts)) + ")"
            case Either(parts):
                return "(" + " | ".join(map(self._tsquery, parts)) + ")"
            case Without(positive, negative):
                return f"({self._tsquery(positive)} & !{self._tsquery(negative)})"

    def _phrase(self, words: str, name: str | None, *, prefix: bool) -> str:
        field = self._fields[name] if name else None
        mark = _mark(name) if name and field and field.marked else ""
        letter = field.letter if field else ""
        made = [f"'{mark}{word[:_LONGEST_WORD]}':{letter}" for word in words.split()]
        if prefix:
            made[-1] = made[-1].replace("':", "':*")
        return "(" + " <-> ".join(one.removesuffix(":") for one in made) + ")"

    def _as_words(self, row: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"number": row["number"]}
        for name, field in self._fields.items():
            words = folded(str(row[name])[:_MOST])
            if field.marked:
                words += "".join(f" {_mark(name)}{word}" for word in words.split())
            made[name] = words
        return made

    def _adding(self) -> tuple[TextClause, TextClause]:
        names = ", ".join(self._fields)
        values = ", ".join(f":{name}" for name in self._fields)
        vectors = " || ".join(
            f"setweight(to_tsvector('simple', :{name}), '{field.letter}')"
            for name, field in self._fields.items()
        )
        return (
            text(f"INSERT INTO {self.name}(rowid, {names}) VALUES(:number, {values})"),
            text(f"INSERT INTO {self.name}(number, words) VALUES(:number, {vectors})").bindparams(
                bindparam("number", type_=BigInteger)
            ),
        )


def _mark(name: str) -> str:
    return f"{name}0"


def _spaced(value: Any) -> Any:
    return spaced(value) if isinstance(value, str) else value


def is_sqlite(session: AsyncSession) -> bool:
    """Whether a session works on SQLite."""
    return session.get_bind().dialect.name == "sqlite"
