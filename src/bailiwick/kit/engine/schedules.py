"""When something is due: a cron line, or words such as "every weekday at 8".

A time that the clock skips when it is set forward is due at the next existing time. A time that
occurs twice when the clock is set back is due once; only hourly schedules are due both times.
"""

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_NUMBERS = {day: str(number) for number, day in enumerate(_DAYS)}
_WORDS = {"day": "*", "weekday": "1-5", "weekend": "0,6", **_NUMBERS}
_AT = re.compile(
    r"every (?P<days>[a-z]+(?:(?:, | and |, and )[a-z]+)*)"
    r"(?: at (?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))? ?(?P<half>am|pm)?)?"
)
# Letters that mean a random time, which would change with each reading.
_RANDOM = re.compile(r"(?<![a-z])[rh](?![a-z])")
_EVERY = re.compile(r"every (?P<count>\d{1,2} )?(?P<unit>minute|hour)s?")
_SHORT = {
    "hourly": "every hour",
    "daily": "every day at 3:00",
    "weekly": "every sunday at 3:00",
    "@hourly": "every hour",
    "@daily": "every day at 0:00",
    "@weekly": "every sunday at 0:00",
}
EXAMPLES = '"every day at 3:00", "every weekday at 8", "every Sunday at 22:30", "every hour"'


class NoSchedule(ValueError):
    """The text is neither a cron line nor in words that are understood."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A cron line and its time zone."""

    cron: str
    zone: str

    def next(self, after: datetime) -> datetime:
        """The first time it is due after a moment."""
        iterator = self._iterator(after)
        while self._is_repeat(due := iterator.get_next(datetime).astimezone(UTC)):
            pass
        return due

    def previous(self, before: datetime) -> datetime:
        """The last time it was due before a moment."""
        iterator = self._iterator(before)
        while self._is_repeat(due := iterator.get_prev(datetime).astimezone(UTC)):
            pass
        return due

    def has(self, moment: datetime) -> bool:
        """Whether it is due at exactly this moment."""
        return self.next(moment - timedelta(seconds=1)) == moment

    def _is_repeat(self, due: datetime) -> bool:
        """Whether this is the second occurrence of a named hour after the clock was set back."""
        hours = self.cron.split()[1]
        return not hours.startswith("*") and due.astimezone(ZoneInfo(self.zone)).fold == 1

    def _iterator(self, moment: datetime):  # noqa: ANN202
        from croniter import croniter

        return croniter(self.cron, moment.astimezone(ZoneInfo(self.zone)))


def parse(text: str, *, zone: str | None = None) -> Timing:
    """The timing that a person wrote; `NoSchedule` lists the forms that are understood."""
    words = " ".join(text.lower().split())
    words = _SHORT.get(words, words)
    cron = _from_words(words) if words.startswith("every ") else _from_cron(words)
    return Timing(cron, zone or local_zone())


def in_words(cron: str) -> str:
    """A cron line in words where that is easy; else the line itself."""
    if match := re.fullmatch(r"\* \* \* \* \*|\*/(\d+) \* \* \* \*", cron):
        return f"every {match[1]} minutes" if match[1] else "every minute"
    if match := re.fullmatch(r"0 (?:\*|\*/(\d+)) \* \* \*", cron):
        return f"every {match[1]} hours" if match[1] else "every hour"
    match = re.fullmatch(r"(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|0,6|[0-6](?:,[0-6])*)", cron)
    if not match:
        return cron
    named = {number: word for word, number in _WORDS.items()}
    days = named.get(match[3]) or _listed([named[one].title() for one in match[3].split(",")])
    days = days.title() if days in _DAYS else days
    return f"every {days} at {match[2]}:{int(match[1]):02}"


def local_zone() -> str:
    """The machine's own time zone, by its IANA name."""
    for name in (os.environ.get("TZ", ""), _linked_zone()):
        if name and is_zone(name):
            return name
    return "UTC"


def is_zone(name: str) -> bool:
    """Whether there is a time zone of this name."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True


def _linked_zone() -> str:
    _, _, name = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")
    return name


def _from_words(words: str) -> str:
    if match := _EVERY.fullmatch(words):
        return _interval(int(match["count"] or 1), match["unit"])
    match = _AT.fullmatch(words)
    if not match:
        raise NoSchedule(f"not understood; write for example {EXAMPLES}, or a cron line")
    hour, minute = _hour(match), int(match["minute"] or 0)
    if hour > 23 or minute > 59:
        raise NoSchedule(f"{hour}:{minute:02} is no time of the day")
    return f"{minute} {hour} * * {_days(match['days'])}"


def _hour(match: re.Match[str]) -> int:
    hour = int(match["hour"] or 0)
    if not match["half"]:
        return hour
    if not 1 <= hour <= 12:
        raise NoSchedule(f"{hour} {match['half']} is no time of the day")
    return hour % 12 + (12 if match["half"] == "pm" else 0)


def _interval(count: int, unit: str) -> str:
    most = 59 if unit == "minute" else 23
    if not 1 <= count <= most:
        raise NoSchedule(f"the interval must be between 1 and {most} {unit}s")
    if unit == "minute":
        return f"*/{count} * * * *" if count > 1 else "* * * * *"
    return f"0 */{count} * * *" if count > 1 else "0 * * * *"


def _days(words: str) -> str:
    names = re.split(r", and | and |, ", words)
    singular = [name if name in _WORDS else name.removesuffix("s") for name in names]
    unknown = [name for name in singular if name not in _WORDS]
    if unknown:
        raise NoSchedule(f"'{unknown[0]}' is no day; write for example {EXAMPLES}")
    return "*" if "day" in singular else ",".join(_WORDS[name] for name in singular)


def _listed(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _from_cron(words: str) -> str:
    from croniter import CroniterBadDateError, croniter

    if len(words.split()) != 5 or _RANDOM.search(words) or not croniter.is_valid(words):
        raise NoSchedule(f"not understood; write for example {EXAMPLES}, or a cron line")
    try:
        croniter(words).get_next()
    except CroniterBadDateError:
        raise NoSchedule("there is no such day in any year") from None
    return words
