"""Tools over the index of files."""

from collections.abc import Sequence

from bailiwick.library.arguments import OneFile, ShownText
from bailiwick.library.index.arguments import (
    FilesystemRetrieve,
    FilesystemSearch,
    FindSimilar,
    GetFolderTree,
    ListRecentFiles,
    ShownDigests,
    ShownEntities,
    ShownIndexedFiles,
    ShownSummary,
    ShownTags,
    ShownTree,
    SummarizeFile,
    TagFile,
)
from bailiwick.library.index.files import IndexedFiles
from bailiwick.library.read import FileReader
from bailiwick.library.resolver import PathResolver
from bailiwick.office import Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool

_FOUND = schema_of(ShownIndexedFiles)


def tools(office: Office) -> Sequence[Tool]:
    """The tools that search and describe files."""
    paths = PathResolver(office)
    files = IndexedFiles(office, paths, FileReader(paths))
    return [*_searching(files), *_describing(files), _tagging(files)]


def _searching(files: IndexedFiles) -> list[Tool]:
    return [
        Tool(
            name="filesystem_search",
            title="Search files",
            description=(
                "Find files by their names, their words and what they are about, with the place "
                "where each says it."
            ),
            arguments=FilesystemSearch,
            output=_FOUND,
            effect="read",
            run=files.filesystem_search,
            targets={"virtualRoot": "folder"},
            paths=("virtualRoot",),
        ),
        Tool(
            name="filesystem_retrieve",
            title="Retrieve a file",
            description="Read the text of a file beneath a notebook or a folder.",
            arguments=FilesystemRetrieve,
            output=schema_of(ShownText),
            effect="read",
            run=files.filesystem_retrieve,
            targets={"virtualRoot": "folder"},
            paths=("virtualRoot",),
        ),
        Tool(
            name="find_similar",
            title="Find similar files",
            description="Find files that say alike things as this one, the nearest first.",
            arguments=FindSimilar,
            output=_FOUND,
            effect="read",
            run=files.find_similar,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="list_recent_files",
            title="List recent files",
            description="List the files that came into the library last.",
            arguments=ListRecentFiles,
            output=_FOUND,
            effect="read",
            run=files.list_recent_files,
        ),
        Tool(
            name="get_folder_tree",
            title="Get the folder tree",
            description="The folders of the library, each with how many files are in it.",
            arguments=GetFolderTree,
            output=schema_of(ShownTree),
            effect="read",
            run=files.get_folder_tree,
            targets={"path": "folder"},
            paths=("path",),
        ),
    ]


def _describing(files: IndexedFiles) -> list[Tool]:
    return [
        Tool(
            name="get_file",
            title="Get a file",
            description=(
                "All that is known of a file: facts, properties, tags, and its text as each "
                "extractor read it (plain, a document's, by OCR, the names in an archive)."
            ),
            arguments=OneFile,
            output=schema_of(ShownDigests),
            effect="read",
            run=files.get_file,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="summarize_file",
            title="Summarize a file",
            description="The sentences of a file that matter most, in its own words.",
            arguments=SummarizeFile,
            output=schema_of(ShownSummary),
            effect="read",
            run=files.summarize_file,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
        Tool(
            name="extract_entities",
            title="Extract entities",
            description="The people, dates, amounts, places and addresses that a file names.",
            arguments=OneFile,
            output=schema_of(ShownEntities),
            effect="read",
            run=files.extract_entities,
            targets={"path": "file"},
            ids={"path": "file"},
            paths=("path",),
        ),
    ]


def _tagging(files: IndexedFiles) -> Tool:
    return Tool(
        name="tag_file",
        title="Tag a file",
        description="Give a file tags by which it is found, or take them away.",
        arguments=TagFile,
        output=schema_of(ShownTags),
        effect="label",
        shared=True,
        run=files.tag_file,
        undo=files.untag_file,
        preview=files.preview_tags,
        targets={"path": "file"},
        ids={"path": "file"},
        paths=("path",),
    )
