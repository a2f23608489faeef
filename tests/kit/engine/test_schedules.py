"""Words and cron lines: what is understood, and that it is due when a person would think so."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from croniter import croniter
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.kit.engine.schedules import (
    NoSchedule,
    Timing,
    in_words,
    is_zone,
    local_zone,
    parse,
)

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Sao_Paulo",
]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
moments = st.datetimes(
    min_value=datetime(2024, 1, 1),  # noqa: DTZ001  (hypothesis adds the zone)
    max_value=datetime(2030, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
zones = st.sampled_from(ZONES)


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize(
    ("words", "cron"),
    [
        ("every day at 3:00", "0 3 * * *"),
        ("Every Day at 03:05", "5 3 * * *"),
        ("  every   weekday at 8 ", "0 8 * * 1-5"),
        ("every weekday at 8am", "0 8 * * 1-5"),
        ("every weekday at 8 pm", "0 20 * * 1-5"),
        ("every day at 12am", "0 0 * * *"),
        ("every day at 12pm", "0 12 * * *"),
        ("every day at 12:30 am", "30 0 * * *"),
        ("every day at 23.59", "59 23 * * *"),
        ("every weekend at 10", "0 10 * * 0,6"),
        ("every Sunday at 22:30", "30 22 * * 0"),
        ("every Sundays at 22:30", "30 22 * * 0"),
        ("every monday and thursday at 7", "0 7 * * 1,4"),
        ("every monday, wednesday, and friday at 7:15", "15 7 * * 1,3,5"),
        ("every tuesday", "0 0 * * 2"),
        ("every hour", "0 * * * *"),
        ("every 6 hours", "0 */6 * * *"),
        ("every minute", "* * * * *"),
        ("every 15 minutes", "*/15 * * * *"),
        ("hourly", "0 * * * *"),
        ("daily", "0 3 * * *"),
        ("weekly", "0 3 * * 0"),
        ("@daily", "0 0 * * *"),
        ("*/5 8-18 * * 1-5", "*/5 8-18 * * 1-5"),
        ("0 3 1 * *", "0 3 1 * *"),
        ("0 3 * * mon", "0 3 * * mon"),
        ("0 3 * * MON-FRI", "0 3 * * mon-fri"),
    ],
)
def test_what_a_person_writes_is_understood(words: str, cron: str):
    assert parse(words, zone="UTC") == Timing(cron, "UTC")


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize(
    "words",
    [
        "",
        "   ",
        "tomorrow",
        "every",
        "every ",
        "every at 8",
        "every day at",
        "every day at 24:00",
        "every day at 8:60",
        "every day at 0 am",
        "every day at 13 pm",
        "every day at -1",
        "every day at 8:5",
        "every day at noon",
        "every days at 8 or 9",
        "every funday at 8",
        "every s at 8",
        "every monday and at 8",
        "every 0 minutes",
        "every 60 minutes",
        "every 24 hours",
        "every 100 minutes",
        "every -5 minutes",
        "every 2 days",
        "* * * *",
        "* * * * * *",
        "@reboot",
        "@yearly",
        "60 * * * *",
        "0 24 * * *",
        "0 0 31 2 *",
        "0 0 30 2 *",
        "0 0 0 * *",
        "0 0 * 13 *",
        "*/0 * * * *",
        "a b c d e",
        "0 3 * * *; rm -rf /",
        "every day at 8\x00",
        "h * * * *",
        "r * * * *",
    ],
)
def test_what_is_not_understood_is_refused(words: str):
    with pytest.raises(NoSchedule) as refused:
        parse(words, zone="UTC")
    assert str(refused.value)


@given(st.text(max_size=40))
def test_any_text_is_a_timing_or_is_refused(words: str):
    try:
        timing = parse(words, zone="Europe/Berlin")
    except NoSchedule:
        return
    now = datetime(2026, 11, 15, tzinfo=UTC)
    assert timing.previous(now) < now < timing.next(now)


def is_skipped(local: datetime) -> bool:
    """Whether there was no such time on that day, because the clock was set forward."""
    return local.astimezone(UTC).astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(
        tzinfo=None
    )


@pytest.mark.req("TASK-03")
@given(
    day=st.sampled_from([*DAYS, "day", "weekday", "weekend"]),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    now=moments,
    zone=zones,
)
def test_it_is_next_due_on_the_right_day_at_the_right_hour(
    day: str, hour: int, minute: int, now: datetime, zone: str
):
    timing = parse(f"every {day} at {hour}:{minute:02}", zone=zone)
    due = timing.next(now)
    local = due.astimezone(ZoneInfo(zone))
    assert now < due <= now + timedelta(days=9)
    assert due.tzinfo is UTC
    names = {"day": DAYS, "weekday": DAYS[:5], "weekend": DAYS[5:]}.get(day, [day])
    assert DAYS[local.weekday()] in names
    meant = local.replace(hour=hour, minute=minute)
    assert (local.hour, local.minute) == (hour, minute) or is_skipped(meant)


def due_times(timing: Timing, start: datetime, end: datetime) -> list[datetime]:
    due = [timing.next(start)]
    while due[-1] < end:
        due.append(timing.next(due[-1]))
    return due


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize("zone", ZONES)
def test_no_day_and_no_hour_is_left_out_when_clocks_change(zone: str):
    daily, hourly = parse("every day at 2:30", zone=zone), parse("every hour", zone=zone)
    days = due_times(daily, datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    dates = [due.astimezone(ZoneInfo(zone)).date() for due in days]
    assert {later - earlier for earlier, later in pairwise(dates)} == {timedelta(1)}
    assert len(dates) == len(set(dates)), "a time that the clock shows twice is due once"
    for start in (datetime(2026, 3, 6, tzinfo=UTC), datetime(2026, 10, 3, tzinfo=UTC)):
        hours = due_times(hourly, start, start + timedelta(days=31))
        gaps = {later - earlier for earlier, later in pairwise(hours)}
        # Lord Howe's clock is changed by half an hour.
        assert timedelta(hours=1) in gaps <= {timedelta(minutes=30 * n) for n in (1, 2, 3)}


@pytest.mark.req("TASK-03")
@given(zone=zones, now=moments, words=st.sampled_from(["every day at 2:30", "every 6 hours"]))
def test_what_was_due_last_was_next_before(zone: str, now: datetime, words: str):
    timing = parse(words, zone=zone)
    last = timing.previous(now)
    assert last < now
    assert timing.next(last) >= now
    assert timing.next(last - timedelta(seconds=1)) == last


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize(
    ("zone", "words", "now", "due"),
    [
        # Berlin's clock goes from 2:00 to 3:00 on 2026-03-29, and from 3:00 to 2:00 on 2026-10-25.
        ("Europe/Berlin", "every day at 8", "2026-03-28T12:00Z", "2026-03-29T06:00Z"),
        ("Europe/Berlin", "every day at 8", "2026-10-24T12:00Z", "2026-10-25T07:00Z"),
        ("Europe/Berlin", "every day at 1:30", "2026-03-28T12:00Z", "2026-03-29T00:30Z"),
        ("Europe/Berlin", "every day at 3:30", "2026-03-28T12:00Z", "2026-03-29T01:30Z"),
        ("Europe/Berlin", "every day at 1:30", "2026-10-24T12:00Z", "2026-10-24T23:30Z"),
        ("Europe/Berlin", "every day at 3:30", "2026-10-24T12:00Z", "2026-10-25T02:30Z"),
        ("America/New_York", "every sunday at 9", "2026-03-07T12:00Z", "2026-03-08T13:00Z"),
        ("America/New_York", "every sunday at 9", "2026-10-31T12:00Z", "2026-11-01T14:00Z"),
        ("Australia/Lord_Howe", "every day at 9", "2026-04-04T12:00Z", "2026-04-04T22:30Z"),
        ("Asia/Kolkata", "every monday at 9", "2026-11-15T12:00Z", "2026-11-16T03:30Z"),
    ],
)
def test_due_times_around_a_change_of_the_clock(zone: str, words: str, now: str, due: str):
    timing = parse(words, zone=zone)
    assert timing.next(datetime.fromisoformat(now)) == datetime.fromisoformat(due)


@pytest.mark.req("TASK-03")
def test_a_time_that_the_clock_skips_is_due_all_the_same_that_day():
    timing = parse("every day at 2:30", zone="Europe/Berlin")
    start = datetime(2026, 3, 28, 12, tzinfo=UTC)
    due = due_times(timing, start, start + timedelta(days=1))
    assert due[0].date() == start.date() + timedelta(days=1)
    assert len(due) == 2


# Vienna's clock goes from 2:00 to 3:00 on 2027-03-28, and from 3:00 to 2:00 on 2026-10-25.
FORWARD, BACK = datetime(2027, 3, 27, 22, tzinfo=UTC), datetime(2026, 10, 24, 21, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize(
    ("cron", "start", "due"),
    [
        ("30 2 * * *", FORWARD, ["28 03:00+0200", "29 02:30+0200"]),
        ("30 2 * * *", BACK, ["25 02:30+0200", "26 02:30+0100"]),
        ("30 1-3 * * *", BACK, ["25 01:30+0200", "25 02:30+0200", "25 03:30+0100"]),
        ("0 * * * *", FORWARD, ["28 00:00+0100", "28 01:00+0100", "28 03:00+0200"]),
        ("0 */2 * * *", BACK, ["25 00:00+0200", "25 02:00+0200", "25 02:00+0100"]),
    ],
)
def test_what_is_due_when_the_clock_changes(cron: str, start: datetime, due: list[str]):
    timing, moment, found = Timing(cron, "Europe/Vienna"), start, []
    for _ in due:
        moment = timing.next(moment)
        assert timing.has(moment)
        found.append(f"{moment.astimezone(VIENNA):%d %H:%M%z}")
    assert found == due
    assert not timing.has(moment + timedelta(minutes=1))


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize("cron", ["30 2 * * *", "0 * * * *", "*/20 1-3 * * *", "15 */2 * * 0,6"])
@pytest.mark.parametrize("zone", ["Europe/Vienna", "Australia/Lord_Howe"])
@pytest.mark.parametrize("start", [FORWARD, BACK])
def test_the_engine_never_leaves_out_what_is_due(cron: str, zone: str, start: datetime):
    timing = Timing(cron, zone)
    # As the engine goes through a schedule: on and on from where it started.
    iterator = croniter(cron, start.astimezone(ZoneInfo(zone)), second_at_beginning=True)
    times = [iterator.get_next(datetime).astimezone(UTC) for _ in range(30)]
    due = due_times(timing, start, times[-1])
    assert [time for time in times if timing.has(time)] == due


@pytest.mark.req("TASK-03")
@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("0 8 * * 1-5", "every weekday at 8:00"),
        ("5 22 * * 0", "every Sunday at 22:05"),
        ("0 7 * * 1,3,5", "every Monday, Wednesday and Friday at 7:00"),
        ("30 10 * * 0,6", "every weekend at 10:30"),
        ("0 0 * * *", "every day at 0:00"),
        ("*/15 * * * *", "every 15 minutes"),
        ("* * * * *", "every minute"),
        ("0 */6 * * *", "every 6 hours"),
        ("0 * * * *", "every hour"),
        ("0 3 1 * *", "0 3 1 * *"),
        ("*/5 8-18 * * 1-5", "*/5 8-18 * * 1-5"),
    ],
)
def test_a_cron_line_is_said_in_words_that_mean_the_same(cron: str, words: str):
    assert in_words(cron) == words
    assert parse(words, zone="UTC").cron == cron


def test_a_zone_is_known_by_its_name_and_nothing_else_is_one(monkeypatch: pytest.MonkeyPatch):
    assert is_zone("Europe/Berlin")
    for wrong in (
        "",
        "Mars/Olympus",
        "../../etc/passwd",
        "/etc/passwd",
        "Europe",
        "a\x00b",
        "x" * 999,
    ):
        assert not is_zone(wrong), wrong
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert local_zone() == "Asia/Tokyo"
    assert parse("daily").zone == "Asia/Tokyo"
    for strange in (":Asia/Tokyo", "CET-1CEST", "nonsense"):
        monkeypatch.setenv("TZ", strange)
        assert is_zone(local_zone())
