"""The event types that webhooks can get, and those that they never get."""

import difflib
from collections.abc import Iterable, Sequence

from bailiwick.errors import Invalid
from bailiwick.notify.selection import matches

__all__ = ["CATALOGUE", "NEVER_SENT", "REQUESTED", "TEST", "checked", "is_sent", "matches"]

CATALOGUE: dict[str, str] = {
    "account.changed": "An account was changed, or authorised again",
    "account.connected": "An account was connected",
    "account.disconnected": "An account was disconnected",
    "account.failed": "An account does not work any more; it says why",
    "account.recovered": "An account works again",
    "account.shared": "Someone shares an account with another, or for more or less than before",
    "account.unshared": "Someone shares an account no longer",
    "action.done": "An agent or a person changed something",
    "action.failed": "A change did not happen",
    "action.unknown": "Nobody knows whether a change happened; a person decides",
    "agent.changed": "An agent was changed, or switched on or off",
    "agent.reordered": "Agents got another order",
    "agent.created": "An agent was made, or brought back",
    "agent.removed": "An agent was taken away",
    "approval.allowed": "A person let a call through",
    "approval.denied": "A person refused a call",
    "approval.expired": "Nobody answered a call in time",
    "approval.finished": "A call that was let through has ended",
    "approval.requested": "A call waits for a person",
    "artifact.added": "A thread has a new artifact, or one that was removed is back",
    "artifact.changed": "An artifact has a new version, or was put away",
    "artifact.linked": "A message shows an artifact",
    "artifact.outdated": "Something that an artifact was made of has changed",
    "artifact.removed": "An artifact was removed",
    "assistant.response": "An assistant has answered in a thread",
    "assistant.thinking": "An assistant is at work on an answer in a thread",
    "attachment.stored": "A file is in a message of a thread; always sent as a CloudEvent",
    "audit.sealed": "The audit was sealed: the number and digest of its newest checkpoint",
    "backup.deleted": "A backup was removed",
    "backup.failed": "A backup could not be made",
    "backup.made": "A backup was made",
    "case.changed": "The work on a case waits, for a person or for an agent",
    "case.done": "A director is done with a mail",
    "case.failed": "The work on a case failed; the case says why",
    "case.opened": "A mail was given to a director, and is a case now",
    "case.removed": "A case was removed; it can be brought back",
    "case.restored": "A removed case is back",
    "case.stopped": "The work on a case was stopped",
    "case.working": "A director is at work on a case",
    "client.changed": "An outside client was changed",
    "client.created": "An outside client was added",
    "client.fresh": "An outside client was given a new task, and starts clean",
    "client.revoked": "An outside client was removed",
    "connector.changed": "A connector was set up otherwise, switched, or made the active one",
    "contact.added": "Someone was put into the address book",
    "contact.changed": "A contact got another name",
    "contact.imported": "An address book was read in",
    "contact.removed": "A contact was taken out",
    "diagnostics.deleted": "Diagnostics were deleted",
    "file.accessed": "Someone had a file, or looked at its preview",
    "file.changed": "What is said of a file, or who may see it, was changed",
    "file.deleted": "An uploaded file was deleted",
    "file.previewed": "The preview of a file was made, or could not be",
    "file.uploaded": "A file was uploaded",
    "files.changed": "Files in a folder came, changed or went, or their text was read",
    "filter.changed": "A filter for mail was changed, or switched on or off",
    "filter.created": "A filter for mail was added",
    "filter.removed": "A filter for mail was removed",
    "filter.reordered": "Filters for mail got another order",
    "guideline.answered": "A proposed change of a guideline was answered",
    "guideline.proposed": "Past decisions speak for a change of a guideline",
    "halt.raised": "Everything was stopped",
    "halt.released": "Calls pass again after a stop",
    "inbox.changed": "How the inbox is organised was changed",
    "inbox.judged": "The organiser began or ended to look at a paper in the inbox",
    "item.added": "A case has a new item, or one that was removed is back",
    "item.changed": "An item of a case has a new version",
    "item.removed": "An item of a case was removed",
    "mail.changed": "Mail was read, filed, labelled or deleted at its provider",
    "mail.fetched": "A fetch brought new mail in",
    "mail.received": "New mail is in the inbox",
    "mail.routed": "A filter gave a mail to a director",
    "memory.added": "Something is remembered, or remembered again",
    "memory.changed": "A memory says something else, or others find it",
    "memory.removed": "A memory was forgotten",
    "message.created": "Something was said in a thread",
    "message.updated": "A message of a thread was changed, or its words were taken away",
    "model.changed": "A model was changed, or became the default",
    "model.created": "A model was added",
    "model.removed": "A model was removed",
    "notebook.changed": "A folder's name or trust changed",
    "notebook.closed": "A folder was closed to a workspace",
    "notebook.opened": "A folder was opened to a workspace",
    "notebook.scanned": "A folder is looked through: how far it is, or what is wrong with it",
    "notifications.changed": "Someone chose what their browsers show on the desktop",
    "outbox.cancelled": "A mail was taken back before it was sent",
    "outbox.failed": "A mail could not be sent",
    "outbox.held": "A mail was put into the outbox",
    "outbox.sent": "A mail was sent",
    "outbox.unknown": "Nobody can tell whether a mail was sent: a person has to look",
    "prompt.changed": "A prompt or a template was changed",
    "prompt.created": "A prompt or a template was written",
    "prompt.removed": "A prompt or a template was removed",
    "provider.changed": "A log-in provider was changed",
    "provider.created": "A log-in provider was added",
    "provider.deleted": "A log-in provider was removed",
    "reaction.added": "Someone put an emoji to a message",
    "reaction.removed": "Someone took an emoji from a message",
    "redaction.changed": "A redaction pattern was changed",
    "redaction.created": "A redaction pattern was added",
    "redaction.deleted": "A redaction pattern was removed",
    "rule.changed": "A rule was changed",
    "rule.created": "A rule was added",
    "rule.deleted": "A rule was removed",
    "rule.reordered": "Rules got another order",
    "run.cancelled": "A run was ended by someone, or with what it rests on",
    "run.completed": "An agent came to an answer",
    "run.expired": "A run worked longer than it may",
    "run.failed": "A run could not go on",
    "run.progressed": "A run took a step, or was told something",
    "run.started": "A run was set going",
    "run.waiting": "A run waits for a person or for another agent",
    "schedule.changed": "A schedule was changed, or switched on or off",
    "schedule.created": "A schedule was made",
    "schedule.failed": "A schedule was due, and its run could not begin",
    "schedule.removed": "A schedule was taken away",
    "session.ended": "Someone signed out, or was signed out",
    "session.started": "Someone signed in",
    "settings.changed": "A run-time setting was changed",
    "suggestion.created": "A folder is suggested for a paper in the inbox",
    "suggestion.expired": "A suggestion no longer holds: its file is gone, or is another one",
    "suggestion.reopened": "An answer to a suggestion was taken back",
    "suggestion.resolved": "A suggestion was accepted or rejected",
    "task.changed": "A task was given to an agent, or an agent reported on it",
    "thread.archived": "A thread was archived",
    "thread.changed": "A thread was changed, brought back, or shows another branch",
    "thread.created": "A thread was opened",
    "thread.deleted": "A thread was removed; it can be brought back",
    "thread.shared": "Someone may read a thread of another's",
    "thread.unshared": "Someone may read a thread of another's no longer",
    "token.created": "An API token was made",
    "token.revoked": "An API token was ended",
    "user.changed": "Someone's name, picture or role changed, or they were switched on or off",
    "user.created": "Someone got an account",
    "user.password_changed": "Someone chose a new password",
    "user.password_link_made": "An admin made a link for a new password",
    "user.sessions_ended": "An admin signed someone out everywhere",
    "vault.pruned": "Old keys of the vault were dropped",
    "vault.reset": "What a lost key had sealed was given up",
    "vault.rotated": "Everything was sealed with a new key",
    "webhook.changed": "A webhook was changed, or switched on or off",
    "webhook.created": "A webhook was made",
    "webhook.deleted": "A webhook was removed",
    "webhook.disabled": "A webhook was switched off because nothing arrived there",
    "workspace.created": "A workspace was made",
    "workspace.deleted": "A workspace was removed",
    "workspace.member_removed": "Someone left a workspace, or was taken out",
    "workspace.member_set": "Someone joined a workspace, or got another role there",
    "workspace.renamed": "A workspace got another name",
}
# A delivery of these would cause another one, without end.
NEVER_SENT = frozenset({"webhook.delivered", "webhook.failed"})
# Sent to one webhook, on request.
TEST = "webhook.test"
# Internal: the request for a delivery.
REQUESTED = "delivery.requested"


def is_sent(type: str, audience: Sequence[str]) -> bool:
    """Whether webhooks may get an event; one without an audience is for processes only."""
    return bool(audience) and type not in NEVER_SENT


def checked(patterns: Iterable[str]) -> list[str]:
    """The patterns without duplicates; one that can never match is refused."""
    chosen = list(dict.fromkeys(patterns))
    if refused := [_refusal(pattern) for pattern in chosen if pattern not in _known()]:
        raise Invalid(f"types: {refused[0]}", errors={"types": refused})
    return chosen


def _known() -> list[str]:
    kinds = dict.fromkeys(f"{type.partition('.')[0]}.*" for type in CATALOGUE)
    return ["*", *kinds, *CATALOGUE]


def _refusal(pattern: str) -> str:
    if pattern in NEVER_SENT:
        return f"'{pattern}' is not sent, because each delivery would lead to another"
    nearest = difflib.get_close_matches(pattern, _known(), n=1, cutoff=0)[0]
    return f"there is no event '{pattern}'; did you mean '{nearest}'?"
