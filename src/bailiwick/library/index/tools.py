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
from bailiwick.library.reading_tool import reads
from bailiwick.library.resolver import PathResolver
from bailiwick.office import Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool


def tools(office: Office) -> Sequence[Tool]:
    """The tools that search and describe files."""
    paths = PathResolver(office)
    files = IndexedFiles(office, paths, FileReader(paths))
    return [*_searching(files), *_describing(files), _tagging(files)]


def _searching(files: IndexedFiles) -> list[Tool]:
    return [
        reads(
            "filesystem_search",
            "Search files",
            "Find files by their names, their words and what they are about, with the place "
            "where each says it.",
            files.filesystem_search,
            arguments=FilesystemSearch,
            shown=ShownIndexedFiles,
            of="folder",
            at="virtualRoot",
        ),
        reads(
            "filesystem_retrieve",
            "Retrieve a file",
            "Read the text of a file beneath a notebook or a folder.",
            files.filesystem_retrieve,
            arguments=FilesystemRetrieve,
            shown=ShownText,
            of="folder",
            at="virtualRoot",
        ),
        reads(
            "find_similar",
            "Find similar files",
            "Find files that say alike things as this one, the nearest first.",
            files.find_similar,
            arguments=FindSimilar,
            shown=ShownIndexedFiles,
        ),
        reads(
            "list_recent_files",
            "List recent files",
            "List the files that came into the library last.",
            files.list_recent_files,
            arguments=ListRecentFiles,
            shown=ShownIndexedFiles,
            of=None,
        ),
        reads(
            "get_folder_tree",
            "Get the folder tree",
            "The folders of the library, each with how many files are in it.",
            files.get_folder_tree,
            arguments=GetFolderTree,
            shown=ShownTree,
            of="folder",
        ),
    ]


def _describing(files: IndexedFiles) -> list[Tool]:
    return [
        reads(
            "get_file",
            "Get a file",
            "All that is known of a file: facts, properties, tags, and its text as each "
            "extractor read it (plain, a document's, by OCR, the names in an archive).",
            files.get_file,
            arguments=OneFile,
            shown=ShownDigests,
        ),
        reads(
            "summarize_file",
            "Summarize a file",
            "The sentences of a file that matter most, in its own words.",
            files.summarize_file,
            arguments=SummarizeFile,
            shown=ShownSummary,
        ),
        reads(
            "extract_entities",
            "Extract entities",
            "The people, dates, amounts, places and addresses that a file names.",
            files.extract_entities,
            arguments=OneFile,
            shown=ShownEntities,
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
