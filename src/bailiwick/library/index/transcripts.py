"""Sound and film as text, by the model that the setting `speech_model` names, if it names one."""

import re
from dataclasses import replace

from bailiwick.errors import NotFound
from bailiwick.library.index import reading
from bailiwick.library.index.text_rows import ReadText
from bailiwick.llm import repository, speech
from bailiwick.llm.adapter import Models
from bailiwick.llm.errors import ModelFailed
from bailiwick.office import Office

_SUFFIX = re.compile(r"[a-z0-9]{1,8}")


class Transcriber:
    """Hears what the extraction process cannot read."""

    def __init__(self, office: Office) -> None:
        self._office = office

    async def model(self) -> str | None:
        """The name or id of the model that is to hear; None: nobody does."""
        return (await self._office.changeable.current()).speech_model

    async def heard(self, read: ReadText, content: bytes) -> ReadText:
        """What is said in a file that is sound; anything else comes back as it is."""
        if read.problem != reading.SOUND or not (chosen := await self.model()):
            return read
        suffix = read.file.name.rpartition(".")[2].lower()
        try:
            config = await self._office[Models].get(await self._id(chosen))
            said = await speech.transcribe(
                config,
                content,
                suffix=suffix if _SUFFIX.fullmatch(suffix) else "bin",
                kind=read.kind or "application/octet-stream",
            )
        except ModelFailed as error:
            return replace(read, state="failed", problem=str(error))
        clean = said.replace("\x00", " ").encode(errors="replace").decode()
        texts = {"transcript": (clean[: reading.MOST_KEPT], len(clean))}
        return replace(read, state="ready", problem=None, texts=texts)

    async def _id(self, chosen: str) -> str:
        async with self._office.storage.app.read() as session:
            try:
                return (await repository.called(session, chosen)).id
            except NotFound:
                raise ModelFailed(
                    f"There is no model “{chosen}” to transcribe it: see the setting speech_model."
                ) from None
