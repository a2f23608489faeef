"""An inbox: a folder in which papers arrive, an organiser, and who answers its suggestions."""

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from bailiwick.inbox import guideline, judging, reconciliation, repository
from bailiwick.library.index.indexer import LibraryIndexer
from support.model_server import Answer, ModelServer, Request, Turn, calls, says
from support.office import API, Office
from support.workshop import Workshop, workshop_in

INVOICE = "Invoice 4471 from Brandl. Amount due 310.20. Please pay within 14 days."
SUGGESTIONS = f"{API}/inbox/suggestions"


@dataclass
class Tray:
    """Where papers arrive and are organised, driven step by step."""

    shop: Workshop
    folder: Path  # of the notebook "Papers"

    @property
    def office(self) -> Office:
        return self.shop.office

    @property
    def owner(self) -> httpx.AsyncClient:
        return self.shop.owner

    def put(self, path: str, text: str) -> Path:
        """A file that another program wrote a while ago."""
        made = self.folder / path
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text)
        os.utime(made, (1_700_000_000, 1_700_000_000))
        return made

    async def indexed(self) -> None:
        """What the index does by itself."""
        indexer = self.office.product[LibraryIndexer]
        indexer.due_now()
        await indexer.scan_due()
        while (wait := await indexer.read_all()) is not None and wait < 1:
            pass

    async def arrived(self, *, asked: bool = False) -> int:
        """Index, judge, run and settle until nothing is left to do; how many were looked at."""
        await self.indexed()
        await reconciliation.refresh(self.office.product, self.shop.workspace_id)
        made = await judging.judge(self.office.product, self.shop.workspace_id, asked=asked)
        await self.ended()
        return made

    async def ended(self) -> None:
        """Drive all runs, and note what came of those that looked at a paper."""
        await self.shop.drive()
        async with self.office.product.storage.app.read() as session:
            rows = await repository.unfinished(session)
        for row, run in rows:
            if run and row.status == "running":
                await judging.ended(self.office.product, run.id)

    async def again(self) -> None:
        """What the engine does when the time for another try has come."""
        async with self.office.product.storage.app.read() as session:
            rows = await repository.unfinished(session)
        for row, _ in rows:
            await judging.judge_again(self.office.product, row.id)
        await self.ended()

    async def undone(self, action_id: str) -> None:
        """What the engine does when an action was taken back."""
        await reconciliation.action_undone(self.office.product, action_id)

    async def learnt(self) -> int:
        """What the engine does after an answer."""
        return await guideline.learn(self.office.product, self.shop.workspace_id)

    async def suggestions(self, **query: Any) -> list[dict[str, Any]]:
        found = await self.owner.get(SUGGESTIONS, params=query)
        assert found.status_code == 200, found.text
        return found.json()["suggestions"]

    async def files(self) -> dict[str, dict[str, Any]]:
        """What waits, by name."""
        found = await self.owner.get(f"{API}/inbox/files")
        assert found.status_code == 200, found.text
        return {each["name"]: each for each in found.json()["items"]}

    async def resolve(self, suggestion: dict[str, Any], action: str, **more: Any) -> dict[str, Any]:
        path = f"{SUGGESTIONS}/{suggestion['id']}/resolve"
        said = await self.owner.post(path, json={"action": action, **more})
        assert said.status_code == 200, said.text
        return said.json()

    async def settings(self, **values: Any) -> dict[str, Any]:
        said = await self.owner.patch(f"{API}/inbox/settings", json=values)
        assert said.status_code == 200, said.text
        return said.json()

    async def organised_by(self, server: ModelServer) -> None:
        """Let a scripted model be the organiser."""
        await self.settings(modelId=await self.shop.model(server))


async def tray_in(office: Office, folder: Path) -> Tray:
    """Open a folder with an inbox."""
    await asyncio.to_thread(folder.mkdir)
    shop = await workshop_in(office)
    await shop.folder("Papers", folder)
    return Tray(shop, folder)


def suggesting(folder: str, *, confidence: float = 0.92, path: str | None = None) -> Answer:
    """Suggests one folder for whatever paper it is asked about."""

    def answer(request: Request) -> Turn:
        if request.results:
            return says("Done.")
        asked = re.search(r"arrived in the inbox: (.+)", request.last)
        return calls(
            "create_suggestion",
            {
                "file_path": path or (asked[1] if asked else ""),
                "target_folder": folder,
                "reasoning": "It is an invoice.",
                "confidence": confidence,
            },
        )

    return answer
