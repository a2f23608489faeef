"""The full-text index of files, and its fields."""

from bailiwick.kit.db.fulltext import Field, TextIndex

INDEX = TextIndex(
    "search_files",
    {
        "name": Field("A", 8.0),
        "folder": Field("B", 3.0),
        "tags": Field("C", 4.0),
        "text": Field("D", 1.0),
    },
)
MOST_INDEXED = 500_000  # characters of a text; the rest is not found by its words
