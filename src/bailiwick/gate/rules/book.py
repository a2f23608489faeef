"""The rules in force, compiled: immutable, and quick to ask however many there are.

A call's tool, effect, connector, workspace and user pick a page. A page is made on first use: it
holds the rules that can match at all, in order, up to the first that matches whatever else there
is. Rules that need no more than that are decided while the page is made; the others are compiled
into one condition, so that a call costs one evaluation.

What a rule of a workspace lets pass is asked of the office's own rules too: a narrower authority
adds to what the wider one holds back, and never lifts it.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import merge
from operator import attrgetter
from typing import Any, Literal, NamedTuple
from weakref import WeakValueDictionary

from bailiwick.gate.models import Rule
from bailiwick.gate.rules.facts import OF_THE_CALLER
from bailiwick.kit import jsonlogic
from bailiwick.kit.jsonlogic import ConditionData, FirstOf, Logic, TooMuch, Unusable

RuleAction = Literal["ALLOW", "BLOCK", "REDACT", "REQUIRE_APPROVAL"]
_OF_THE_PAGE = frozenset(("tool", "effect", "connector", "workspace", "user.id"))
_MOST_PAGES = 10_000
# Longer ones take long to compile for what they save.
_CHAPTER = 200
_REASONS: dict[RuleAction, str] = {
    "ALLOW": "The rule “{}” allows this.",
    "BLOCK": "The rule “{}” blocks this.",
    "REDACT": "The rule “{}” allows this without some fields.",
    "REQUIRE_APPROVAL": "The rule “{}” asks a person first.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say to a call; no action: no rule matched, so it is denied."""

    action: RuleAction | None
    rule_id: str | None = None
    rule_name: str | None = None
    reason: str = "No rule allows this, so it is not done."
    fields: tuple[str, ...] = ()
    failed: bool = False  # the rule could not be evaluated
    is_narrow: bool = False  # a rule of a workspace lets it pass


_TOO_MUCH = Verdict(
    "BLOCK",
    reason="There is too much in this call for the rules to look at, so it is not done. "
    "Try it with less at a time.",
    failed=True,
)


@dataclass(frozen=True)
class RuleEntry:
    """A rule as the book keeps it."""

    id: str
    name: str
    action: RuleAction
    condition: Any
    fields: tuple[str, ...]
    connector: str | None
    workspace_id: str | None
    user_id: str | None
    number: int = 0  # its place in the order of evaluation

    @classmethod
    def of(cls, rule: Rule) -> "RuleEntry":
        """A row of the table."""
        return cls(
            id=rule.id,
            name=rule.name,
            action=rule.action,  # pyright: ignore[reportArgumentType]
            condition=rule.condition,
            fields=tuple(rule.fields),
            connector=rule.connector,
            workspace_id=rule.workspace_id,
            user_id=rule.user_id,
        )

    @cached_property
    def logic(self) -> Logic:
        """The condition, compiled."""
        return jsonlogic.compile(self.condition)

    @cached_property
    def reads(self) -> frozenset[str]:
        """What the condition looks at."""
        return jsonlogic.reads(self.condition)

    @cached_property
    def is_of_the_page(self) -> bool:
        """Whether it is decided by what picks a page."""
        return self.reads <= _OF_THE_PAGE

    @cached_property
    def is_of_the_caller(self) -> bool:
        """Whether it is decided before there are arguments."""
        return {path.partition(".")[0] for path in self.reads} <= OF_THE_CALLER

    def is_bound_elsewhere(self, key: "IndexKey") -> bool:
        """Whether it is for another connector, workspace or user."""
        return (
            (self.connector is not None and self.connector != key.connector)
            or (self.workspace_id is not None and self.workspace_id != key.workspace)
            or (self.user_id is not None and self.user_id != key.user_id)
        )

    def holds(self, facts: ConditionData) -> bool:
        """Whether the condition holds; raises `Unusable` when that cannot be said."""
        return self.logic.truthy(facts)

    @cached_property
    def verdict(self) -> Verdict:
        """What it says when it matches."""
        reason = _REASONS[self.action].format(self.name)
        narrow = self.lets_pass and self.workspace_id is not None
        return Verdict(self.action, self.id, self.name, reason, self.fields, is_narrow=narrow)

    @property
    def lets_pass(self) -> bool:
        """Whether a call that it matches is done."""
        return self.action in ("ALLOW", "REDACT")

    def failure(self, error: Unusable) -> Verdict:
        """What is said when it cannot be evaluated: no."""
        reason = (
            f"The rule “{self.name}” could not be evaluated, so this is not done: {error}. "
            f"Change the rule or switch it off."
        )
        return Verdict("BLOCK", self.id, self.name, reason, failed=True)


class IndexKey(NamedTuple):
    """What picks a page."""

    tool: str
    effect: str
    connector: str
    workspace: str
    user_id: str | None

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "IndexKey":
        """The key of a call."""
        user: Mapping[str, Any] = facts.get("user") or {}
        return cls(
            facts["tool"],
            facts["effect"],
            facts.get("connector") or "",
            facts.get("workspace") or "",
            user.get("id"),
        )

    @property
    def known(self) -> tuple[tuple[str, str], ...]:
        """What is written into the conditions of a page; whoever differs in more may share it."""
        return ("tool", self.tool), ("effect", self.effect), ("connector", self.connector)

    @property
    def facts(self) -> dict[str, Any]:
        """The key as rules see it."""
        return {
            "tool": self.tool,
            "effect": self.effect,
            "connector": self.connector,
            "workspace": self.workspace,
            "user": {"id": self.user_id},
        }


@dataclass(frozen=True)
class RulePage:
    """The rules that can match a key, in order, and what is said if none of them does."""

    entries: Sequence[RuleEntry]
    otherwise: Verdict
    known: tuple[tuple[str, str], ...]

    @property
    def contents(self) -> tuple[Any, ...]:
        """What tells it from another page."""
        return (self.known, self.otherwise, *(each.number for each in self.entries))

    @cached_property
    def _roots(self) -> frozenset[str]:
        return frozenset(p.partition(".")[0] for each in self.entries for p in each.reads)

    @cached_property
    def _chapters(self) -> list["RuleChapter"]:
        numbers = range(0, len(self.entries), _CHAPTER)
        known = dict(self.known)
        return [RuleChapter(self.entries[start : start + _CHAPTER], known) for start in numbers]

    def decide(self, given: Mapping[str, Any]) -> Verdict:
        """What the first matching rule says."""
        if not self.entries:
            return self.otherwise
        try:
            # Only what is looked at: large arguments cost nothing where no rule reads them.
            facts = ConditionData({root: given[root] for root in self._roots if root in given})
        except Unusable as error:
            return self.entries[0].failure(error)
        for chapter in self._chapters:
            if found := chapter.decide(facts):
                return found
        return self.otherwise


@dataclass(frozen=True)
class RuleChapter:
    """Some rules that follow one another, compiled into one condition."""

    entries: Sequence[RuleEntry]
    known: Mapping[str, str]

    @cached_property
    def _first(self) -> FirstOf:
        conditions = [jsonlogic.with_known(each.condition, self.known) for each in self.entries]
        return FirstOf.compile(conditions)

    def decide(self, facts: ConditionData) -> Verdict | None:
        """What the first matching rule says, if there is one."""
        try:
            index = self._first.index(facts)
        except TooMuch:
            # One by one they could take that much each; the work of a call has to be bounded.
            return _TOO_MUCH
        except Unusable as error:
            return self._one_by_one(facts, error)
        return None if index is None else self.entries[index].verdict

    def _one_by_one(self, facts: ConditionData, error: Unusable) -> Verdict:
        """Which of them could not be evaluated."""
        for each in self.entries:
            try:
                if each.holds(facts):
                    return each.verdict
            except Unusable as reason:
                return each.failure(reason)
        # One fails when compiled with the others and not alone: nothing may slip through.
        return self.entries[-1].failure(error)


@dataclass(frozen=True)
class RuleBook:
    """All rules in force at one version."""

    version: int
    entries: Sequence[RuleEntry]
    _pages: OrderedDict[IndexKey, RulePage] = field(
        default_factory=OrderedDict[IndexKey, RulePage], repr=False
    )
    # Most keys lead to the same rules: those share one page.
    _written: WeakValueDictionary[tuple[Any, ...], RulePage] = field(
        default_factory=WeakValueDictionary[tuple[Any, ...], RulePage], repr=False
    )

    @classmethod
    def compile(cls, rules: Iterable[Rule], version: int) -> "RuleBook":
        """The enabled rules, higher priority first; of equals, the older."""
        ordered = sorted((rule for rule in rules if rule.enabled), key=rank)
        entries = [RuleEntry.of(rule) for rule in ordered]
        for number, each in enumerate(entries):
            object.__setattr__(each, "number", number)
        return cls(version, entries)

    def decide(self, facts: Mapping[str, Any]) -> Verdict:
        """What the rules say to a call."""
        verdict = self._page(IndexKey.of(facts)).decide(facts)
        if verdict.is_narrow:
            above = self._of_the_office.decide(facts)
            # What both let pass keeps what either takes out.
            if above.action in ("BLOCK", "REQUIRE_APPROVAL"):
                return above
            if above.action == "REDACT":
                return replace(above, fields=(*dict.fromkeys((*above.fields, *verdict.fields)),))
        return verdict

    def never(self, tool: str, facts: Mapping[str, Any]) -> bool:
        """Whether a tool is denied to this caller whatever the arguments.

        The facts are those known beforehand: effect, connector, caller, user, agent, workspace.
        """
        return self.always_denies({**facts, "tool": tool}, unmatched=True)

    def always_denies(self, known: Mapping[str, Any], *, unmatched: bool) -> bool:
        """Whether every call with these facts is denied; `unmatched`: one without a rule is."""
        page = self._page(IndexKey.of(known))
        seen = ConditionData({root: known[root] for root in OF_THE_CALLER if root in known})
        for each in page.entries:
            if not each.is_of_the_caller:
                if self._denies(each.verdict, known):
                    continue
                return False
            try:
                if each.holds(seen):
                    return self._denies(each.verdict, known)
            except Unusable:
                return True
        last = page.otherwise
        return unmatched if last.action is None else self._denies(last, known)

    def _denies(self, verdict: Verdict, known: Mapping[str, Any]) -> bool:
        if verdict.is_narrow:  # the office's own rules have a say too
            return self._of_the_office.always_denies(known, unmatched=False)
        return verdict.action == "BLOCK"

    def looked_at(self, facts: Mapping[str, Any]) -> list[tuple[RuleEntry, bool | None]]:
        """Every rule up to the one that decides, and whether it holds; None: it failed."""
        key, seen = IndexKey.of(facts), ConditionData(facts)
        found: list[tuple[RuleEntry, bool | None]] = []
        narrow = False
        for each in self.entries:
            if each.is_bound_elsewhere(key) or (narrow and each.workspace_id is not None):
                continue
            try:
                holds = each.holds(seen)
            except Unusable:
                holds = None
            found.append((each, holds))
            if holds and not narrow and each.verdict.is_narrow:
                narrow = True  # the office's own rules have a say too
            elif holds is not False:
                break
        return found

    def _page(self, key: IndexKey) -> RulePage:
        page = self._pages.get(key)
        if page is None:
            new = _written(key, self._candidates(key))
            page = self._pages[key] = self._written.setdefault(new.contents, new)
            if len(self._pages) > _MOST_PAGES:
                self._pages.popitem(last=False)
        return page

    def _candidates(self, key: IndexKey) -> Iterator[RuleEntry]:
        index = self._index
        candidates = (
            index.by_tool.get(key.tool, ()),
            index.by_effect.get(key.effect, ()),
            index.by_workspace.get(key.workspace, ()),
            index.others,
        )
        for each in merge(*candidates, key=attrgetter("number")):
            if not each.is_bound_elsewhere(key):
                yield each

    @cached_property
    def _of_the_office(self) -> "RuleBook":
        """The rules that are bound to no workspace."""
        return RuleBook(self.version, [each for each in self.entries if each.workspace_id is None])

    @cached_property
    def _index(self) -> "RuleIndex":
        return RuleIndex.of(self.entries)


@dataclass(frozen=True, slots=True)
class RuleIndex:
    """The rules by what they need to match: a tool, a workspace, an effect, or none of these."""

    by_tool: dict[str, list[RuleEntry]]
    by_effect: dict[str, list[RuleEntry]]
    by_workspace: dict[str, list[RuleEntry]]
    others: list[RuleEntry]

    @classmethod
    def of(cls, entries: Iterable[RuleEntry]) -> "RuleIndex":
        """Put every rule where it will be looked for."""
        made = cls({}, {}, {}, [])
        for each in entries:
            made._put(each)
        return made

    def _put(self, each: RuleEntry) -> None:
        tools = jsonlogic.required(each.condition, "tool")
        effects = jsonlogic.required(each.condition, "effect")
        if tools is not None:
            for tool in tools:
                self.by_tool.setdefault(tool, []).append(each)
        elif each.workspace_id is not None:
            self.by_workspace.setdefault(each.workspace_id, []).append(each)
        elif effects is not None:
            for effect in effects:
                self.by_effect.setdefault(effect, []).append(each)
        else:
            self.others.append(each)


def rank(rule: Rule) -> tuple[Any, ...]:
    """The order of evaluation."""
    return (-rule.priority, rule.created_at, rule.id)


def _written(key: IndexKey, candidates: Iterable[RuleEntry]) -> RulePage:
    """A page: what the key decides is decided now."""
    facts, kept, known = ConditionData(key.facts), list[RuleEntry](), key.known
    for each in candidates:
        if not each.is_of_the_page:
            kept.append(each)
            continue
        try:
            if each.holds(facts):
                return RulePage(kept, each.verdict, known)
        except Unusable as error:
            return RulePage(kept, each.failure(error), known)
    return RulePage(kept, Verdict(None), known)
