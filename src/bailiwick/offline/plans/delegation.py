"""A director: each part of a request goes to the agent that it is most like."""

import json
import re
from collections.abc import Sequence

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline import results, topics
from bailiwick.offline.drafts import questions, received
from bailiwick.offline.intents import RequestIntent
from bailiwick.offline.likeness import alike
from bailiwick.offline.mood import judged
from bailiwick.offline.plans.material import gather, headers
from bailiwick.offline.text import stem, words
from bailiwick.offline.toolbox import AGENT, nouns_in
from bailiwick.offline.work import Doc, Steps, Work

MOST_AGENTS = 4
_LEAST = 0.17
_HEADS = ("from", "to", "subject", "date")
_TITLES = tuple(
    (title, re.compile(rule, re.IGNORECASE))
    for title, rule in (
        ("Mood", r"\bmood\b"),
        ("Facts", r"\bfacts?\b"),
        ("Reply draft", r"\brepl(?:y|ies)\b|\banswers?\b"),
        ("Summary", r"\bsummar\w+|\bsums? up\b"),
    )
)
# "You answer urgent mail at once": what else needs an answer is left to a person.
_AT_ONCE = re.compile(r"\banswers? (?:what is )?urgent\b", re.IGNORECASE)


def agent_for(work: Work, intent: RequestIntent) -> OfferedTool | None:
    """The agent that a request is meant for: the one it names, or else the one most like it."""
    agents = work.box.agents
    if not agents:
        return None
    said = {stem(word) for word in words(intent.text)}
    named = [agent for agent in agents if {stem(word) for word in words(name_of(agent))} <= said]
    if named:
        return max(named, key=lambda agent: len(agent.name))
    asked = f"{intent.kind} {intent.text}"
    scores = alike(asked, [f"{name_of(agent)} {agent.description}" for agent in agents])
    top = max(scores)
    return agents[scores.index(top)] if top >= _LEAST else None


def delegate(work: Work, agent: OfferedTool, text: str) -> Steps[str]:
    """Ask an agent, with the text that it needs; its words are quoted."""
    parts = [text, work.request.material or (yield from _needed(work, text))]
    if work.product and (topics.points_back(text) or not work.request.material):
        parts.append(f"---\n{work.product}")
    given = "\n\n".join(part for part in parts if part.strip())
    came = yield from work.call(agent, {"content": given})
    output = results.text_of(came.data).strip() if came.ok else ""
    if not output:
        return ""
    work.product = output
    yield from put_item(work, _title(agent), output)
    return f"**{name_of(agent).capitalize()}**\n\n{output}"


def _needed(work: Work, text: str) -> Steps[str]:
    """The mail or file that a task is about: an agent does not have it at hand."""
    nouns = [noun for noun in nouns_in(text) if noun in ("email", "file")]
    if work.product or not any(work.box.find("read", noun) for noun in nouns):
        return ""
    docs = yield from gather(work, text, single=True)
    return "\n\n".join(f"---\n{_heads(doc)}{doc.text}" for doc in docs[:1])


def _heads(doc: Doc) -> str:
    shown = [f"{key.capitalize()}: {doc.facts[key]}" for key in _HEADS if doc.facts.get(key)]
    return "\n".join(shown) + "\n\n" if shown else ""


def ask_all(work: Work) -> Steps[str]:
    """Nothing was asked, only handed over: every agent does with it what it is for."""
    said: list[str] = []
    for agent in work.box.agents[:MOST_AGENTS]:
        work.product = ""
        said.append((yield from delegate(work, agent, "")))
    said.append((yield from _answer_at_once(work)))
    return "\n\n".join(filter(None, said))


def _answer_at_once(work: Work) -> Steps[str]:
    """Answer a mail that cannot wait, where the prompt says that such mail is answered."""
    tool = next((each for each in work.box.tools if each.name.startswith("reply")), None)
    mail = Doc("", work.request.material, facts=headers(work.request.material))
    if not tool or not _AT_ONCE.search(work.talk.system):
        return ""
    if not questions(mail) or judged(mail.text)[0] not in ("urgent", "angry"):
        return ""
    given = {"id": mail.facts.get("id", ""), "content": received(mail)}
    came = yield from work.call(tool, given)
    return "I answered it at once." if came.ok else ""


def is_case(work: Work) -> bool:
    """Whether what is done here becomes the items of a case."""
    return bool(work.box.find("create", "item"))


def _title(agent: OfferedTool) -> str:
    """What an agent's work is called: by what it is for, and else by its name."""
    said = f"{name_of(agent)} {agent.description.partition('. ')[0]}"
    return next((title for title, rule in _TITLES if rule.search(said)), name_of(agent))


def put_item(work: Work, label: str, text: str) -> Steps[None]:
    """Put a result among the items of the case, where there is one and it is wanted."""
    tool = work.box.find("create", "item")
    if tool and (work.box.agents or wants_items(work)):
        mime = "application/json" if _is_json(text) else "text/markdown"
        given = {"title": label[:1].upper() + label[1:], "content": text, "mime": mime}
        yield from work.call(tool, given)


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def wants_items(work: Work) -> bool:
    """Whether the prompt or the request asks for items."""
    spoken = f"{work.talk.system} {work.request.asked}"
    return bool(
        re.search(r"\bitems?\b|\bdeliverables?\b|workspace_add_item", spoken, re.IGNORECASE)
    )


def name_of(agent: OfferedTool) -> str:
    """How people call an agent."""
    return " ".join(re.split(r"[_\-]+", agent.name.removeprefix(AGENT))).strip()


def names(agents: Sequence[OfferedTool]) -> str:
    """The agents in one line."""
    return ", ".join(map(name_of, agents))
