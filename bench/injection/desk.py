"""A plugin that plays a world outside: mail, calendar, contacts, sharing, the web, upstreams.

It comes in by the public door (an entry point), and declares its tools as a real connector would.
Worlds are kept by workspace; `put` is the only way in for the bench. A corpus may bring tools of
its own: they are declared before the installation is opened.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bailiwick.errors import NotFound, Unavailable
from bailiwick.feature import Feature
from bailiwick.office import Office
from bailiwick.tools.effects import Effect
from bailiwick.tools.facts import KnowsTarget
from bailiwick.tools.foreign import ForeignArguments, arguments_of
from bailiwick.tools.tool import Arguments, IdKind, Ref, TargetKind, Tool, ToolContext, ToolOutput
from bailiwick.tools.trust import Source
from injection.items import Declared, Mail, World

_WORLDS: dict[str, World] = {}
_DECLARED: dict[str, Declared] = {}
Reads = Callable[[World, Arguments], ToolOutput]


def put(workspace_id: str, world: World) -> None:
    """What the tools find in a workspace."""
    _WORLDS[workspace_id] = world


def real_id(key: str) -> str:
    """The id of a mail or an event: like a provider's, it says nothing to anyone."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def declare(tools: Mapping[str, Declared]) -> None:
    """What the next installation that is opened has besides."""
    _DECLARED.clear()
    _DECLARED.update(tools)


def _tools(_: Office) -> Sequence[Tool]:
    own = [_declared(name, each) for name, each in _DECLARED.items()]
    return [*_reading(), *_mail(), *_calendar(), *_rest(), *own]


async def _knows(
    _: Office, workspace_id: str, user_id: str | None, kind: TargetKind, value: str
) -> bool:
    """The address book: an address exactly as it stands there, but for capitals."""
    world = _WORLDS.get(workspace_id)
    if world is None or kind != "address":
        return False
    known = {each.address.lower() for each in world.contacts.values() if each.known}
    return value.lower() in known


feature = Feature(name="bench", tools=_tools, facts=[KnowsTarget(_knows)])


# Reading


def _reading() -> list[Tool]:
    return [
        _read("list_mails", _list_mails),
        _read("read_mail", _read_mail, ids={"email_id": "email"}),
        _read("search_mail", _search_mail, "query"),
        _read("open_attachment", _open_attachment, "name", ids={"email_id": "email"}),
        _read("list_events", _list_events),
        _read("read_event", _read_event, ids={"event_id": "event"}),
        _read("list_contacts", _list_contacts),
        _read("upstream_search", _upstream, "query"),
    ]


def _list_mails(world: World, _: Arguments) -> ToolOutput:
    return _mails(world.mails)


def _search_mail(world: World, arguments: Arguments) -> ToolOutput:
    query = arguments["query"].casefold()
    return _mails(
        {
            key: mail
            for key, mail in world.mails.items()
            if query in f"{mail.name} {mail.address} {mail.subject} {mail.body}".casefold()
        }
    )


def _mails(mails: Mapping[str, Mail]) -> ToolOutput:
    shown = [
        {
            "id": Ref("email", real_id(key)),
            "from": f"{mail.name} <{mail.address}>",
            "subject": mail.subject,
            "attachments": list(mail.attachments),
        }
        for key, mail in mails.items()
    ]
    sources = tuple(Source(mail.label, f"a mail from {mail.address}") for mail in mails.values())
    return ToolOutput({"mails": shown}, f"{len(shown)} mails", sources)


def _read_mail(world: World, arguments: Arguments) -> ToolOutput:
    mail = _found(_by_id(world.mails), arguments["email_id"])
    data = mail.model_dump(include={"name", "address", "subject", "body"})
    data["attachments"] = list(mail.attachments)
    return ToolOutput(data, "a mail", (Source(mail.label, f"a mail from {mail.address}"),))


def _open_attachment(world: World, arguments: Arguments) -> ToolOutput:
    mail = _found(_by_id(world.mails), arguments["email_id"])
    text = _found(mail.attachments, arguments["name"])
    about = f"the attachment {arguments['name']} from {mail.address}"
    return ToolOutput({"text": text}, "an attachment", (Source(mail.label, about),))


def _list_events(world: World, _: Arguments) -> ToolOutput:
    shown = [
        {
            "id": Ref("event", real_id(key)),
            "title": each.title,
            "day": each.day,
            "notes": each.notes,
        }
        for key, each in world.events.items()
    ]
    sources = tuple(Source(e.label, f"the event {e.title}") for e in world.events.values())
    return ToolOutput({"events": shown}, f"{len(shown)} events", sources)


def _read_event(world: World, arguments: Arguments) -> ToolOutput:
    event = _found(_by_id(world.events), arguments["event_id"])
    source = Source(event.label, f"the event {event.title}")
    return ToolOutput(event.model_dump(exclude={"label"}), "an event", (source,))


def _list_contacts(world: World, _: Arguments) -> ToolOutput:
    shown = [each.model_dump(include={"name", "address", "note"}) for each in _contacts(world)]
    sources = tuple(Source(each.label, f"the contact {each.name}") for each in _contacts(world))
    return ToolOutput({"contacts": shown}, f"{len(shown)} contacts", sources)


def _contacts(world: World) -> Sequence[Any]:
    return [*world.contacts.values()]


def _upstream(world: World, arguments: Arguments) -> ToolOutput:
    said = world.upstream.get(arguments["query"]) or _found(world.upstream, "*")
    if said.fails:
        raise Unavailable(said.text)
    return ToolOutput(
        {"text": said.text}, "an answer", (Source(said.label, "the upstream server"),)
    )


def _fetch(world: World, arguments: Arguments) -> ToolOutput:
    page = world.pages.get(arguments["url"])
    text = page.text if page else "Not found."
    return ToolOutput({"text": text}, "a page", (Source("web", f"the page {arguments['url']}"),))


# Writing: what was done stands in the gate's own record of actions


def _mail() -> list[Tool]:
    email: dict[str, IdKind] = {"email_id": "email"}
    return [
        _write(
            "send_mail",
            "send",
            {"to": "address", "cc": "address", "bcc": "address"},
            "subject",
            "body",
        ),
        _write("reply_mail", "send", {"email_id": "email"}, "body", ids=email),
        _write("forward_email", "send", {"email_id": "email", "to": "address"}, ids=email),
        _write("create_mail_rule", "send", {"forward_to": "address"}, "matching"),
        _write("create_draft", "create", {"to": "address"}, "subject", "body"),
        _write("label_mail", "label", {"email_id": "email"}, "label", ids=email),
        _write("move_mail", "move", {"email_id": "email", "folder": "name"}, ids=email),
        _write("delete_mail", "delete", {"email_id": "email"}, ids=email),
    ]


def _calendar() -> list[Tool]:
    event: dict[str, IdKind] = {"event_id": "event"}
    when = ("day", "time", "notes")
    return [
        _write("create_event", "create", {"title": "name"}, *when),
        _write("update_event", "edit", {"event_id": "event"}, "title", *when, ids=event),
        _write("delete_event", "delete", {"event_id": "event"}, ids=event),
        _write("invite", "invite", {"event_id": "event", "attendees": "address"}, ids=event),
        # Guests as objects, as several calendars have them.
        _write("invite_guests", "invite", {"title": "name", "guests": "address"}, "day"),
    ]


def _rest() -> list[Tool]:
    return [
        _write("share_file", "share", {"path": "file", "with": "address"}, paths=("path",)),
        _write("share_folder", "share", {"path": "folder", "with": "address"}, paths=("path",)),
        _write("publish_file", "share", {"path": "file"}, paths=("path",)),
        _write("mark_file", "label", {"path": "file"}, "tag", paths=("path",)),
        _write("update_contact", "edit", {"name": "name", "address": "address"}, "note"),
        _write("fetch_url", "fetch", {"url": "url"}, run=_fetch),
        _write("run_code", "execute", {}, "code"),
        # Nobody has classified it: write, with integrations, and no word on what it points at.
        _write("crm_update", "send", {}, "record", "note"),
    ]


def _read(name: str, answer: Reads, *texts: str, ids: Mapping[str, IdKind] | None = None) -> Tool:
    known = ids or {}
    return Tool(
        name=name,
        title=name.replace("_", " ").capitalize(),
        description=f"{name.replace('_', ' ').capitalize()}.",
        arguments=arguments_of(_object([*known, *texts])),
        effect="read",
        run=_running(answer),
        connector="bench",
        ids=known,
        outside=True,
    )


def _write(
    name: str,
    effect: Effect,
    targets: Mapping[str, TargetKind],
    *texts: str,
    ids: Mapping[str, IdKind] | None = None,
    paths: tuple[str, ...] = (),
    run: Reads | None = None,
) -> Tool:
    return Tool(
        name=name,
        title=name.replace("_", " ").capitalize(),
        description=f"{name.replace('_', ' ').capitalize()}.",
        arguments=arguments_of(_object([*targets, *texts], any_of=True)),
        effect=effect,
        run=_running(run or _done),
        replay="idempotent",
        connector="bench",
        targets=targets,
        ids=ids or {},
        paths=paths,
        outside=True,
    )


def _declared(name: str, each: Declared) -> Tool:
    sources = (Source(each.label, f"what {name} gave"),) if each.label else ()
    output = ToolOutput({"text": each.text}, "done", sources)
    return Tool(
        name=name,
        title=name,
        description=name,
        arguments=arguments_of({"type": "object"}),
        effect=each.effect,
        run=_running(lambda _, __: output),
        connector="bench",
        targets=each.targets,
        outside=True,
    )


def _object(names: Sequence[str], *, any_of: bool = False) -> Mapping[str, Any]:
    """Texts, and where something is written lists of them too, as providers' schemas allow."""
    value: Mapping[str, Any] = {"type": ["string", "array"]} if any_of else {"type": "string"}
    return {
        "type": "object",
        "properties": dict.fromkeys(names, value),
        "additionalProperties": False,
    }


def _done(_: World, __: Arguments) -> ToolOutput:
    return ToolOutput({"status": "done"}, "done")


def _running(answer: Reads):
    async def run(context: ToolContext, arguments: ForeignArguments) -> ToolOutput:
        return answer(_WORLDS[context.workspace_id], arguments.given)

    return run


def _by_id(things: Mapping[str, Any]) -> Mapping[str, Any]:
    return {real_id(key): thing for key, thing in things.items()}


def _found(things: Mapping[str, Any], key: str) -> Any:
    if key not in things:
        raise NotFound("There is no such thing here.")
    return things[key]
