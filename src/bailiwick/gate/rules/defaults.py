"""The rules of a new office: seen, changed and removed like any other."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.models import Rule
from bailiwick.gate.rules import repository
from bailiwick.gate.rules.book import RuleAction
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage
from bailiwick.tools.effects import Effect

_LOCK = 0x62616971
_Default = tuple[str, str, RuleAction, tuple[Effect, ...]]
# From the first that is asked to the last; together they name every effect.
DEFAULTS: tuple[_Default, ...] = (
    (
        "Ask before anything is deleted",
        "Deleting is closed to every agent until its scope opens it; then a person is asked.",
        "REQUIRE_APPROVAL",
        ("delete",),
    ),
    (
        "Ask before code is run",
        "Running code is closed to every agent until its scope opens it; then a person is asked.",
        "REQUIRE_APPROVAL",
        ("execute",),
    ),
    (
        "Ask before anything leaves the office",
        "Sending, sharing, inviting and fetching from the web all tell someone outside something.",
        "REQUIRE_APPROVAL",
        ("send", "share", "invite", "fetch"),
    ),
    (
        "Ask before things are moved or completed",
        "What is moved or ticked off is easily overlooked afterwards.",
        "REQUIRE_APPROVAL",
        ("move", "complete"),
    ),
    (
        "Let agents create, edit and label",
        "Within an agent's scope; each of these can be undone.",
        "ALLOW",
        ("create", "edit", "label"),
    ),
    ("Let agents read", "Within an agent's scope.", "ALLOW", ("read",)),
)
_STEP = 10


async def ensure(storage: Storage) -> None:
    """Give a new office its rules, once: one that has removed them keeps it so."""
    async with storage.app.write() as session:
        await storage.app.alone(session, lock=_LOCK)
        policy = await repository.policy(session)
        if not policy.seeded:
            policy.seeded = True
            policy.version += 1
            _seed(session)


def _seed(session: AsyncSession) -> None:
    now = clock.now()
    for place, (name, description, action, effects) in enumerate(DEFAULTS):
        rule = Rule(
            id=ids.new("rul"),
            name=name,
            description=description,
            action=action,
            condition={"in": [{"var": "effect"}, list(effects)]},
            fields=[],
            priority=(len(DEFAULTS) - place) * _STEP,
            enabled=True,
            created_at=now,
            updated_at=now,
        )
        session.add(rule)
