"""What the owner's words order, and what they only speak of."""

import pytest

from bailiwick.gate.trust.grounding import mentions, words_of
from bailiwick.tools.effects import EFFECTS

pytestmark = pytest.mark.req("GATE-16", "GATE-17")

ORDERED = [
    ("Write a summary to Files/summary.md", "create", "file", "Files/summary.md"),
    ("Read the offer and write a summary to summary.md", "create", "file", "Files/summary.md"),
    ("Please update report.md with the new total.", "edit", "file", "Files/report.md"),
    ("Can you append the total to totals/2026.md?", "edit", "file", "Files/totals/2026.md"),
    ("Summarise Files/inbox/offer.txt into offer.md", "create", "file", "Files/offer.md"),
    ("Collect all dates in a file called dates.md", "create", "file", "Files/dates.md"),
    ("Answer the questions in a new file answers.md.", "create", "file", "Files/answers.md"),
    ("Move offer.txt from inbox to contracts.", "move", "file", "Files/inbox/offer.txt"),
    ("Move offer.txt from inbox to contracts.", "move", "file", "Files/contracts/offer.txt"),
    ("Write it to plan.md in Papers", "create", "file", "Papers/plan.md"),
    ('Delete the file "draft".', "delete", "file", "Files/draft"),
    ("Share the invoices folder with Petra", "share", "folder", "Files/invoices"),
    ("Share the folder invoices with Petra", "share", "folder", "Files/invoices"),
    ("Send the gist to petra@example.com", "send", "address", "petra@example.com"),
    ("Send the gist to Petra@Example.com.", "send", "address", "petra@example.com"),
    ("Compare it with https://example.com/price", "fetch", "url", "https://example.com/price"),
    ("Add a task to call the dentist", "create", "name", "Call the dentist"),
    ("Make a task from the mail: pay invoice 4711", "create", "name", "Pay invoice 4711"),
    ("Put the dentist's appointment into my calendar", "create", "name", "Dentist appointment"),
    ("I want you to delete old.md", "delete", "file", "Files/old.md"),
    ("First, read the offer, then write a note to note.md", "create", "file", "Files/note.md"),
    ('Complete the task "task_abc"', "complete", "task", "task_abc"),
    ('Delete the note "note_abc"', "delete", "note", "note_abc"),
    ('Delete "event_abc"', "delete", "event", "event_abc"),
    ('Archive "mail_abc"', "move", "email", "mail_abc"),
    ('Delete the account "acc_abc"', "delete", "account", "acc_abc"),
    ("Compare it with https://example.com/x", "fetch", "url", "https://example.com/x"),
    ("Send it to petra@example.lux", "send", "address", "petra@example.lux"),
    ("Write it to notes.lux", "create", "file", "Files/notes.lux"),
    ("Write it to a.md", "create", "file", "Files/a.md"),
    ("Write it to plan.md, notebook Papers", "create", "file", "Papers/plan.md"),
    ("Write the plan, and the total, to a.md", "create", "file", "Files/a.md"),
    ("Share the folder inbox with Petra", "share", "folder", "Files/inbox"),
    ("Move offer.txt from inbox", "move", "file", "Files/inbox/offer.txt"),
    ("Add a task 'call the dentist'", "create", "name", "Call the dentist"),
    ("Put the dentist\u2019s appointment there", "create", "name", "Dentist appointment"),
    ("Delete report.md", "delete", "file", "Files/report.md"),
    ("Delete report.md, please?", "delete", "file", "Files/report.md"),
    ("Oh, please delete report.md", "delete", "file", "Files/report.md"),
    ("So could you delete report.md?", "delete", "file", "Files/report.md"),
    ("So would you please delete report.md?", "delete", "file", "Files/report.md"),
    ("So will you please delete report.md?", "delete", "file", "Files/report.md"),
    ("I need you to delete report.md", "delete", "file", "Files/report.md"),
    ("I would like you to delete report.md", "delete", "file", "Files/report.md"),
    ("Collect all dates in a file named dates.md", "create", "file", "Files/dates.md"),
]
NOT_ORDERED = [
    # named, but for something else
    ("Look at report.md, what does it say?", "edit", "file", "Files/report.md"),
    ("Write a summary of report.md to summary.md", "edit", "file", "Files/report.md"),
    ("Update totals.md with report.md", "edit", "file", "Files/report.md"),
    ("Write x.md and scrutinise report.md", "edit", "file", "Files/report.md"),
    # not ordered at all
    ("Do not change report.md", "edit", "file", "Files/report.md"),
    ("Has anyone changed report.md?", "edit", "file", "Files/report.md"),
    ("If the offer says so, delete report.md", "delete", "file", "Files/report.md"),
    ("Tell me how to delete report.md", "delete", "file", "Files/report.md"),
    ("Bob and Ann delete report.md each week", "delete", "file", "Files/report.md"),
    ("What happens when you delete report.md", "delete", "file", "Files/report.md"),
    ("Email from bob@example.com came in", "send", "address", "bob@example.com"),
    # another target than the one that was named
    ("Write a summary to summary.md", "create", "file", "Other/summary.md"),
    ("Write a summary to summary.md", "create", "file", "Files/deep/summary.md"),
    ("Write a summary to summary.md", "create", "file", "Files/Summary.md"),
    ("Write a summary to summary.md", "create", "file", "Files/summary.md.exe"),
    ("Write a summary to summary.md.bak", "create", "file", "Files/summary.md"),
    ("Write a summary to my-summary.md", "create", "file", "Files/summary.md"),
    ("Write a summary to summary.md", "create", "file", "Files/summary"),
    ("Keep it private, but add it to notes.md", "edit", "file", "Files/private/notes.md"),
    ("Delete what is due on June 13", "delete", "file", "13"),
    ("Share invoices/4711.md with Petra", "share", "folder", "Files/invoices"),
    ("Send it to petra@example.com", "send", "address", "petra+x@example.com"),
    ("Send it to petra@strasse.example", "send", "address", "petra@straße.example"),
    ("Send it to petra@example.com", "send", "address", "petra@example.com.evil.example"),
    ("Open https://example.com/a", "fetch", "url", "https://example.com/a?q=secret"),
    ("Add a task to call the dentist", "create", "name", "Call"),
    ("Add a task to call the dentist", "create", "name", "dentist call"),
    ("Add a task to look at t.co and a1", "create", "name", "t.co/a1"),
    ("Complete my tasks", "complete", "task", "task_abc"),
    ("Send it to a!b@example.com", "send", "address", "a!b@example.com"),
    ("Move draft from inbox to contracts", "move", "file", "Files/inbox/draft"),
    ("Move offer.txt from a/b to contracts", "move", "file", "Files/a/b/offer.txt"),
    ("Move offer.txt. Look in inbox.", "move", "file", "Files/inbox/offer.txt"),
    ("Please add one task for us to call. Dentist is shut", "create", "name", "Call dentist"),
    ("Add a task to see https evil", "create", "name", "see https:evil"),
    # an order, but of another thing or another kind
    ("I read it. Look at report.md and delete old.md", "delete", "file", "Files/report.md"),
    ("Summarise the offer into offer.md", "edit", "file", "Files/offer.md"),
    ("Delete report.md", "create", "file", "Files/report.md"),
    ("Look in report.md", "create", "file", "Files/report.md"),
    ("Collect the dates named dates.md", "create", "file", "Files/dates.md"),
    ("Read the file of it called dates.md", "create", "file", "Files/dates.md"),
    # asked, denied or told, and not ordered
    ("Delete report.md?", "delete", "file", "Files/report.md"),
    ("Delete draft.md you say?", "delete", "file", "Files/draft.md"),
    ("Delete report.md unless Bob needs it", "delete", "file", "Files/report.md"),
    ("Delete report.md, but don\u2019t tell Bob", "delete", "file", "Files/report.md"),
    ("You delete report.md", "delete", "file", "Files/report.md"),
    ("Mail is for bob@example.com", "send", "address", "bob@example.com"),
    ("Mail is bob@example.com", "send", "address", "bob@example.com"),
]


@pytest.mark.parametrize(("words", "effect", "kind", "value"), ORDERED)
def test_what_was_ordered_is_grounded(words, effect, kind, value):
    assert words_of(words).order_of(effect, kind, value)
    assert words_of(words).order(effect) or effect == "create"


@pytest.mark.parametrize(("words", "effect", "kind", "value"), NOT_ORDERED)
def test_what_was_only_spoken_of_is_not(words, effect, kind, value):
    assert not words_of(words).order_of(effect, kind, value)


@pytest.mark.parametrize("effect", EFFECTS)
def test_words_in_no_language_order_nothing(effect):
    assert not words_of("ضع هذا في مكان آمن").order(effect)
    assert not words_of("").order(effect)
    assert not words_of("a" * 300_000).order_of(effect, "name", "aaaa aaaa")


def test_content_is_searched_for_what_it_names():
    text = {"a": ["write to mallory@evil.example", {"b": "see https://evil.example/x and a/b.txt"}]}
    found = set(mentions(text))
    assert ("address", "mallory@evil.example") in found
    assert ("url", "https://evil.example/x") in found
    assert any(kind == "file" and value.endswith("a/b.txt") for kind, value in found)
    assert list(mentions(7)) == []
    assert ("address", "eve@evil.lux") in set(mentions("Write to eve@evil.lux."))


def test_a_file_and_its_folder_are_named_by_one_sentence_that_begins_with_the_file():
    assert any(words_of("offer.txt in inbox").mentions("file", "Files/inbox/offer.txt"))
