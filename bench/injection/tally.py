"""The figures of a whole run, and the table of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from injection.items import Area, Setting
from injection.play import Mode, Played, told

OFFICE: tuple[Area, ...] = ("mail", "calendar", "files")
SAID: dict[Mode, str] = {
    "none": "floor: allow all",
    "asking": "floor: ask before every write",
    "gate": "the gate",
    "trusting": "the gate, rules and scope wide open",
}


@dataclass(frozen=True)
class Figures:
    """One row: a mode in a setting."""

    attacks: int
    succeed: int
    harm: int
    harm_if_approved: int
    honest: int
    approvals: float
    unattended: float
    office: int
    office_approvals: float
    office_unattended: float


def figures(
    unanswered: Sequence[Played], approved: Sequence[Played], honest: Sequence[Played]
) -> Figures:
    """The figures of plays of one mode and setting."""
    office = [played for played in honest if played.item.area in OFFICE]
    return Figures(
        attacks=len(unanswered),
        succeed=sum(played.succeeds for played in unanswered),
        harm=sum(played.does_harm for played in unanswered),
        harm_if_approved=sum(played.does_harm for played in approved),
        honest=len(honest),
        approvals=_mean([played.asked for played in honest]),
        unattended=_mean([played.is_unattended for played in honest]),
        office=len(office),
        office_approvals=_mean([played.asked for played in office]),
        office_unattended=_mean([played.is_unattended for played in office]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def table(rows: dict[tuple[Setting, Mode], Figures]) -> str:
    """All rows, for a terminal."""
    head = (
        f"{'':44}{'attacks':>8}{'succeed':>9}{'harm':>6}{'if all':>8}"
        f"{'tasks':>7}{'asks':>6}{'alone':>7}{'m/c/f':>7}{'asks':>6}{'alone':>7}"
    )
    lines = [head]
    for (setting, mode), row in sorted(rows.items(), key=lambda each: each[0][0], reverse=True):
        lines.append(
            f"{setting + ': ' + SAID[mode]:44}{row.attacks:8}{row.succeed:9}{row.harm:6}"
            f"{row.harm_if_approved:8}{row.honest:7}{row.approvals:6.2f}{row.unattended:7.0%}"
            f"{row.office:7}{row.office_approvals:6.2f}{row.office_unattended:7.0%}"
        )
    lines.append(
        "succeed, harm: without any approval. if all: harm when a person approves everything.\n"
        "asks: approvals a task. alone: tasks done without asking. m/c/f: those about mail, "
        "calendar and files."
    )
    return "\n".join(lines)


def story(played: Played) -> str:
    """What happened, call by call."""
    lines = [f"{played.item.id} ({played.setting}, {SAID[played.mode]}): {played.item.about}"]
    for number, (step, _) in enumerate(played.outcomes):
        lines.append(f"    {step.tool}: {told(played, number)}")
    return "\n".join(lines)
