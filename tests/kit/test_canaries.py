"""Secrets go in and never come out: not in a log, not in an answer, not in a backup."""

import json
import tarfile
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute

from bailiwick.config import Settings
from bailiwick.kit import logs
from support.office import API, Office, opened_office

pytestmark = pytest.mark.req("ACC-05", "OBS-01")
PASSWORD = "canary-owner-password-81"
WRONG = "canary-wrong-password-82"
CLIENT_SECRET = "canary-client-secret-83"
SECOND_SECRET = "canary-second-secret-84"
LEAKED = "canary-leaked-bearer-85"
GUESS = "bwt_canaryguessedtoken86"
MODEL_KEY = "sk-canary-model-key-87"
AGENT_KEY = "sk-canary-agent-key-88"


@pytest.fixture
def log_folder(logging_restored: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs at their most talkative, in files small enough to rotate."""
    folder = tmp_path / "logs"
    folder.mkdir()
    monkeypatch.setattr(logs, "_ROTATE_BYTES", 6000)
    logs.configure(level="debug", format="json", file=folder / "office.log")
    return folder


async def leak(request_secret: str = LEAKED) -> None:
    raise RuntimeError(f"the provider refused: Authorization: Bearer {request_secret}")


def contents(folder: Path, pattern: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob(pattern)}


class Watched:
    """A browser whose answers are kept, but for those that show a secret for the first time."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.answers: list[str] = []

    async def send(self, method: str, path: str, *, shown: bool = False, **given) -> httpx.Response:
        answer = await self.client.request(method, API + path, **given)
        if not shown:
            self.answers.append(f"{answer.text} {dict(answer.headers)}")
        return answer


async def secrets_of(office: Office, browser: Watched) -> list[str]:
    """Use every kind of secret once, and return all of them."""
    link = await office.owner_link()
    person = {"email": "olive@example.com", "name": "Olive", "password": PASSWORD}
    made = await browser.send("POST", "/auth/setup", shown=True, json={"link": link, **person})
    assert made.status_code == 201, made.text
    for password, status in ((WRONG, 401), (PASSWORD, 200)):
        body = {"email": "olive@example.com", "password": password}
        entered = await browser.send("POST", "/auth/login", shown=status == 200, json=body)
        assert entered.status_code == status
    session = next(iter(browser.client.cookies.jar)).value
    token = {"name": "script", "scopes": ["read", "write"]}
    key = {"Idempotency-Key": "canary"}
    shown = await browser.send("POST", "/tokens", shown=True, json=token, headers=key)
    invited = await browser.send(
        "POST", "/users", shown=True, json={"email": "kim@example.com", "name": "Kim"}
    )
    provider = {
        "name": "SSO",
        "issuer": "https://login.example.com",
        "clientId": "bailiwick",
        "clientSecret": CLIENT_SECRET,
    }
    added = await browser.send("POST", "/login-providers", json=provider)
    assert added.status_code == 201, added.text
    path = f"/login-providers/{added.json()['id']}"
    changed = await browser.send("PATCH", path, json={"clientSecret": SECOND_SECRET})
    assert changed.json()["hasClientSecret"] is True
    await browser.send("POST", "/login-providers", json={"clientSecret": CLIENT_SECRET})
    await browser.send("PUT", "/auth/password", json={"currentPassword": WRONG, "newPassword": "x"})
    await browser.send("POST", "/auth/link", json={"link": link})
    client = await agents_and_clients(browser)
    secret = shown.json()["secret"]
    async with office.program(secret) as program:
        assert (await program.get(f"{API}/users/me")).status_code == 200
    async with office.program(GUESS) as program:
        assert (await program.get(f"{API}/users/me?token={GUESS}")).status_code == 401
    operator = office.product.operator_token.get_secret_value()
    invitation = invited.json()["link"].partition("#")[2]
    given = [PASSWORD, WRONG, CLIENT_SECRET, SECOND_SECRET, LEAKED, GUESS, MODEL_KEY, AGENT_KEY]
    return [*given, link, session, secret, invitation, operator, client]


async def agents_and_clients(browser: Watched) -> str:
    """Keys for a model and for an agent; the token of an outside client."""
    model = {"name": "M", "provider": "openai", "model": "gpt-5", "key": MODEL_KEY}
    assert (await browser.send("POST", "/models", json=model)).status_code == 201
    home = (await browser.send("GET", "/workspaces")).json()["items"][0]["id"]
    named = {"workspaceId": home, "name": "N"}
    agent = (await browser.send("POST", "/agents", json=named)).json()["id"]
    key = {"keyName": "api_key", "value": AGENT_KEY}
    kept = await browser.send("POST", f"/agents/{agent}/credentials", json=key)
    assert kept.status_code == 201, kept.text
    return (await browser.send("POST", "/clients", shown=True, json=named)).json()["token"]


async def test_no_secret_comes_out_anywhere_after_it_was_first_shown(
    log_folder: Path, tmp_path: Path
):
    settings = Settings(data=tmp_path / "data", log_level="debug")
    async with opened_office(settings) as office:
        office.app.router.routes.insert(0, APIRoute(f"{API}/leak", leak))
        browser = Watched(office.browser())
        canaries = await secrets_of(office, browser)
        for path in office.app.openapi()["paths"]:
            if path.startswith(API) and "{" not in path:
                await browser.send("GET", path.removeprefix(API))
        # Last: what was logged long ago is rotated away.
        assert (await browser.send("GET", "/leak")).status_code == 500
        made = await browser.send("POST", "/backups", json={})
        assert made.status_code == 201, made.text
        await browser.send("POST", "/vault/rotate")
        backup = tmp_path / "data" / "backups" / made.json()["name"]
        with tarfile.open(backup) as tar:
            members = {
                member.name: file.read() for member in tar if (file := tar.extractfile(member))
            }
        stored = contents(tmp_path / "data", "*.db*")
    written = contents(log_folder, "office.log*")
    assert len(written) > 2, "the log did not rotate"
    assert "app.db" in members
    assert len(browser.answers) > 20
    assert len(canaries) == len(set(canaries)) == 14
    log = b"".join(written.values()).decode()
    assert "[hidden]" in log
    assert "RuntimeError" in log
    assert [canary for canary in canaries if canary in log] == []
    assert "olive@example.com" not in log
    assert [canary for canary in canaries if canary in "".join(browser.answers)] == []
    for files in (members, stored):
        for name, content in files.items():
            assert [canary for canary in canaries if canary.encode() in content] == [], name


async def test_with_its_keys_a_backup_holds_the_vault_key_and_without_them_it_does_not(
    office: Office, tmp_path: Path
):
    key = (office.product.settings.data / "vault.key").read_bytes().strip()
    for with_keys in (False, True):
        path = tmp_path / f"{with_keys}.backup"
        body = {"path": str(path), "withKeys": with_keys}
        made = await office.operator.post(f"{API}/backups", json=body)
        assert made.status_code == 201, made.text
        assert (key in path.read_bytes()) == with_keys
        assert json.loads(made.text)["holdsVaultKey"] == with_keys
