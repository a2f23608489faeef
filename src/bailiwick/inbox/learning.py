"""What earlier decisions say: examples for the next paper, and how sure a suggestion may be."""

from collections.abc import Sequence

from bailiwick.inbox import repository
from bailiwick.inbox.models import Suggestion
from bailiwick.inbox.repository import FolderRecord
from bailiwick.library.index.models import IndexedFile
from bailiwick.memory import vectors
from bailiwick.office import Office

_USUAL = 0.75  # the share of suggestions that people accept
_DOUBT = 2.0  # decisions before a share says anything
_REACH = 0.4  # how far decisions alone can move it
_EXAMPLES = 6
_LIKE = 0.4  # how alike a paper must be for what was decided about it to count
_GIST = 1_500  # characters of a text that say what it is about


async def vector_of(office: Office, file: IndexedFile) -> bytes | None:
    """The embedding of what a file says; the index makes its own a little after it has the text."""
    if file.vector:
        return file.vector
    async with office.storage.app.read() as session:
        text = await repository.text_of(session, file)
    return await vectors.of(f"{file.name} {text[:_GIST]}")


def confidence(stated: float, record: FolderRecord) -> float:
    """How sure to be, given what people said when this folder was suggested before.

    A folder that is mostly accepted makes it a little surer, one that is refused more doubtful: the
    more decisions there are, the more.
    """
    decided = record.accepted + record.refused
    rate = (record.accepted + _USUAL * _DOUBT) / (decided + _DOUBT)
    shift = _REACH * (rate - _USUAL) * decided / (decided + _DOUBT)
    return round(min(1.0, max(0.0, stated + shift)), 3)


def examples(vector: bytes | None, decided: Sequence[Suggestion]) -> list[str]:
    """The decisions about the papers that are most like one with this vector, a line each."""
    known = [each for each in decided if each.vector]
    if not known or not vector:
        return []
    likeness = vectors.near(vector, [each.vector for each in known if each.vector])
    ranked = sorted(zip(likeness, known, strict=True), key=lambda pair: -pair[0])
    return [line(each) for near, each in ranked[:_EXAMPLES] if near >= _LIKE]


def line(decision: Suggestion) -> str:
    """One decision in words that a model can use."""
    name = decision.file_path.rpartition("/")[2]
    if decision.status == "rejected":
        return f"- {name} does not belong in {decision.target_folder}."
    if decision.chosen_folder and decision.chosen_folder != decision.target_folder:
        return f"- {name} belongs in {decision.chosen_folder}, not in {decision.target_folder}."
    return f"- {name} belongs in {decision.target_folder}."
