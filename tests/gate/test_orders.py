"""Sentences that order an act, and many that only sound as if they did."""

import pytest

from bailiwick.gate.trust.grounding import words_of
from bailiwick.gate.trust.orders import BETWEEN

pytestmark = pytest.mark.req("GATE-17", "GATE-26")
BOB = "bob@example.com"
EDIT, DELETE = ("edit", "file", "Files/budget.md"), ("delete", "file", "Files/budget.md")
CREATE, MOVE = ("create", "file", "Files/budget.md"), ("move", "file", "Files/budget.md")
SHARE, SEND = ("share", "file", "Files/budget.md"), ("send", "address", BOB)

NO_ORDERS = {
    EDIT: [
        # exceptions
        "Update notes.md but leave budget.md alone",
        "Update notes.md and leave budget.md alone.",
        "Update notes.md, leave budget.md as it is.",
        "Update notes.md, budget.md stays as it is.",
        "Update notes.md; budget.md stays.",
        "Update notes.md. Leave budget.md.",
        "Update notes.md and skip budget.md",
        "Update notes.md and spare budget.md",
        "Update notes.md and omit budget.md",
        "Update notes.md rather than budget.md",
        "Update notes.md instead of budget.md",
        "Update notes.md, not budget.md",
        "Update notes.md, never budget.md",
        "Update notes.md without touching budget.md",
        "Update notes.md while preserving budget.md",
        "Update notes.md (budget.md is fine)",
        "Update notes.md - budget.md is fine",
        "Update notes.md \u2014 hands off budget.md",
        "Update notes.md and hands off budget.md",
        "Update everything except budget.md",
        "Update everything but budget.md",
        "Update everything apart from budget.md",
        "Update everything other than budget.md",
        "Update everything save budget.md",
        "Update notes.md; as for budget.md, that one is frozen",
        "Update notes.md and pretend to update budget.md",
        "Update notes.md minus budget.md",
        "Update notes.md in place of budget.md",
        "Update notes.md to match budget.md",
        "Update notes.md and lock budget.md",
        "Refrain from updating budget.md",
        "Nobody may update budget.md",
        "Write budget.md into notes.md",
        "Write budget.md to notes.md",
        "Update everything excluding budget.md",
        "Update all files minus budget.md",
        "Update notes.md or budget.md",
        "Either update notes.md or update budget.md",
        "Update notes.md and protect budget.md",
        "Update notes.md and keep budget.md",
        "Update notes.md and freeze budget.md",
        "Update notes.md. Budget.md, budget.md and the rest are closed.",
        # negations
        "Do not update budget.md",
        "Don't update budget.md",
        "Dont update budget.md",
        "Don\u2019t update budget.md",
        "Never update budget.md",
        "Please never update budget.md",
        "Under no circumstances update budget.md",
        "Avoid updating budget.md",
        "Please refrain from updating budget.md",
        "You need not update budget.md",
        "Nobody may update budget.md",
        "There is no need to update budget.md",
        "Stop: update budget.md is what the virus wants",
        "Update budget.md? No.",
        "Update budget.md. No, wait.",
        "Update budget.md. Just kidding!",
        "Update budget.md. Scratch that.",
        "Update budget.md. On second thought, leave it.",
        "Update budget.md. That would be a mistake.",
        # conditions
        "If the offer is good, update budget.md",
        "Update budget.md if the offer is good",
        "Update budget.md unless Mira objects",
        "Update budget.md once Mira agrees",
        "Update budget.md when Mira agrees",
        "Update budget.md as soon as Mira agrees",
        "Update budget.md provided that Mira agrees",
        "Update budget.md in case Mira agrees",
        "Update budget.md after the meeting",
        "Update budget.md tomorrow",
        "Update budget.md later",
        "Update budget.md, assuming it is safe",
        "Update budget.md eventually",
        "Wait for Mira, then update budget.md",
        # questions
        "Should I update budget.md?",
        "Shall I update budget.md?",
        "Should you update budget.md?",
        "Do I have to update budget.md?",
        "Update budget.md?",
        "Did you update budget.md?",
        "Have you updated budget.md?",
        "Will you update budget.md?",
        "Would you update budget.md?",
        "Why would you update budget.md?",
        "Who can update budget.md?",
        "Can Bob update budget.md?",
        "Can anyone update budget.md?",
        "What if you update budget.md?",
        "How do I update budget.md?",
        "Can you still update budget.md?",
        "Could you have updated budget.md?",
        "Tell me how to update budget.md",
        "Tell me when to update budget.md",
        "Tell me whether to update budget.md",
        "Explain how one would update budget.md",
        "Ask Mira whether to update budget.md",
        # reports
        "Bob asked me to update budget.md",
        "Bob wants you to update budget.md",
        "They want me to update budget.md",
        "The letter says to update budget.md",
        "The letter says: update budget.md",
        "My boss said update budget.md",
        "According to Bob, update budget.md",
        "Bob wrote this. Update budget.md.",
        "Bob wrote:\nUpdate budget.md",
        "Here is what the virus does. Update budget.md.",
        "Someone told the agent: please update budget.md",
        "He orders us to update budget.md",
        "Ask Bob to update budget.md",
        "Tell Bob to update budget.md",
        "Remind me to update budget.md",
        "Help Bob update budget.md",
        "Bob, update budget.md",
        # what was, might be or should be
        "I updated budget.md",
        "You updated budget.md",
        "We update budget.md each week",
        "You update budget.md each week",
        "You can update budget.md",
        "You may update budget.md",
        "You could update budget.md",
        "I might update budget.md",
        "I would update budget.md",
        "I will update budget.md",
        "I want to update budget.md",
        "I plan to update budget.md",
        "Let me update budget.md",
        "Let Bob update budget.md",
        "Imagine you update budget.md",
        "Suppose that you update budget.md",
        "Pretend to update budget.md",
        "To update budget.md is hard",
        "Update requests for budget.md came in",
        # quotes
        'Bob\'s note is "update budget.md"',
        'Translate "update budget.md" into German',
        "Translate 'update budget.md' into German",
        "Translate `update budget.md` into German",
        "Translate \u201cplease update budget.md\u201d",
        "Summarise this: update budget.md",
        "Translate this into German: update budget.md",
        # comparisons, sources and neighbours
        "Update notes.md like you did with budget.md",
        "Update notes.md the same way as budget.md",
        "Update notes.md as in budget.md",
        "Update notes.md with budget.md",
        "Update notes.md using budget.md",
        "Update notes.md from budget.md",
        "Update notes.md based on budget.md",
        "Update notes.md according to budget.md",
        "Update the list of files in budget.md",
        "Update the totals mentioned in budget.md",
        "Update the link to budget.md",
        "Change the link to budget.md",
        "Add a link to budget.md",
        "Add the numbers in budget.md to notes.md",
        "Add budget.md to notes.md",
        "Append budget.md to notes.md",
        "Write a summary of the numbers in budget.md",
        "Write a summary of budget.md",
        "Write a page next to budget.md",
        "Write a page similar to budget.md",
        "Write a page with respect to budget.md",
        "Write a page close to budget.md to notes.md",
        "Write the answer to budget.md to notes.md",
        "Add up the numbers in budget.md",
        "Save budget.md",
        "Open budget.md and update",
        "Update my boss about budget.md",
        "Compare notes.md with budget.md and update notes.md",
        "Read budget.md and update notes.md",
        "Check whether notes.md and budget.md agree, then fix it",
        "Update budget.md in Papers",
        # somebody is to answer first
        "Ask me, then update budget.md",
        "Ask Mira and update budget.md",
        "Show me the list and update budget.md",
        "Get a yes from Mira and update budget.md",
        # other languages
        "Lösche budget.md",
        "Update nicht budget.md",
        "Update notes.md und lass budget.md in Ruhe",
        "Update notes.md sauf budget.md",
    ],
    DELETE: [
        "Delete everything save budget.md",
        "Delete notes.md, save budget.md",
        "Delete all but budget.md",
        "Delete the line in budget.md",
        "Delete the copy of budget.md",
        "Delete the files listed in budget.md",
        "Delete the files similar to budget.md",
        "Delete notes.md and read budget.md",
        "Delete notes.md and back up budget.md",
        "Delete budget.md on Friday",
        "Delete budget.md by hand, says the letter",
        "Delete or keep budget.md",
        "Delete budget.md's first line",
        "Delete budget.md.bak",
        "Remove the total from budget.md",
        "Remove budget.md from the list",
        "Remove budget.md from notes.md",
        "Delete budget.md from the index",
        "Delete notes.md in favour of budget.md",
        "Delete duplicates of budget.md",
        "Remove budget.md from the index, but not from the disk",
        "Deleting budget.md is wrong",
        "Delete nothing, budget.md included",
    ],
    CREATE: [
        "Write a summary of budget.md to notes.md",
        "Make a note of what budget.md says",
        "Save the list somewhere other than budget.md",
        "Read the questions in the new file budget.md",
        "Look into budget.md",
    ],
    MOVE: [
        "Move notes.md next to budget.md",
        "Move notes.md away from budget.md",
        "Move everything around budget.md",
        "Archive notes.md, keep budget.md",
    ],
    SHARE: [
        "Share notes.md with Petra, keep budget.md private",
        "Share what budget.md says with Petra",
        "Share notes.md and hide budget.md",
    ],
    SEND: [
        f"Send the letter to {BOB} to ann@example.com",
        f"Send the list to ann@example.com but not to {BOB}",
        f"Send the list to everyone except {BOB}",
        f"Send the list to ann@example.com, {BOB} has it",
        f"Send the mail addressed to {BOB} on",
        f"Send {BOB} to ann@example.com",
        f"Forward the mail from {BOB} to ann@example.com",
        f"Forward {BOB}'s mail to ann@example.com",
        f"Reply to the mail of {BOB}",
        f"Reply to ann@example.com that {BOB} is ill",
        f"Tell me what you would send to {BOB}",
        f"Summarise what I sent to {BOB}",
        f"Draft a letter to {BOB}",
        f"Create a task to send the list to {BOB}",
        f"Send ann@example.com the address of {BOB}",
        f"Write {BOB} down",
        f"Remind me to send it to {BOB}",
        f"Find the mail that I sent to {BOB}",
        f"Send the list to ann@example.com on behalf of {BOB}",
        f"Send the list to ann@example.com instead of {BOB}",
        f"Send it to {BOB} on Friday",
        f"Mail from {BOB}: send it to the archive",
        f"Email addresses such as {BOB} are personal",
    ],
}
ORDERS = {
    EDIT: [
        "Update budget.md",
        "Update budget.md.",
        "Please update budget.md",
        "Please update budget.md!",
        "Update budget.md, please.",
        "Could you please update budget.md?",
        "Can you update budget.md?",
        "Would you please update budget.md?",
        "I want you to update budget.md",
        "I'd like you to update budget.md.",
        "Hello Ada, please update budget.md. Thanks!",
        "Hi! Update budget.md now. Thank you very much.",
        "Update notes.md and budget.md",
        "Update notes.md, plan.md and budget.md",
        "Update the file budget.md with the price from the offer",
        "Update budget.md with notes.md",
        "Read the offer and update budget.md",
        "Read the offer, then update budget.md.",
        "Read the offer. Update budget.md.",
        "Update budget.md and send the list to ann@example.com",
        "Fix the typos in budget.md",
        "Replace the total in budget.md",
        "Add a line about the offer to budget.md",
        "Append the new price from the offer to budget.md",
        "Write it to budget.md and show me what it costs",
        "Add the price of the offer to Files/budget.md",
        "Rewrite budget.md",
    ],
    DELETE: [
        "Delete budget.md",
        "Delete notes.md and budget.md",
        "Remove the file budget.md from my folder",
        "Please erase budget.md",
    ],
    CREATE: [
        "Write a summary of the offer to budget.md",
        "Make a list of my contracts as budget.md",
        "Translate the offer into budget.md",
        "Create budget.md",
        "Put it in budget.md",
    ],
    MOVE: ["Rename notes.md to budget.md", "Move budget.md to the archive", "Archive budget.md"],
    SHARE: ["Share budget.md with Petra and Bob", f"Share notes.md and budget.md with {BOB}"],
    SEND: [
        f"Send the list to {BOB}",
        f"Send the list to ann@example.com and {BOB}",
        f"Send the list to ann@example.com and to {BOB}",
        f"Email {BOB} the list",
        f"Mail {BOB}",
        f"Reply to {BOB}",
        f"Forward the invoice of Acme to {BOB}",
        f"Summarise the offer in my inbox folder and send it to {BOB}.",
    ],
}


def _cases(table):
    return [(words, *target) for target, said in table.items() for words in said]


@pytest.mark.parametrize(("words", "effect", "kind", "value"), _cases(NO_ORDERS))
def test_what_is_no_order_is_none(words, effect, kind, value):
    assert not words_of(words).order_of(effect, kind, value)


@pytest.mark.parametrize(("words", "effect", "kind", "value"), _cases(ORDERS))
def test_a_plain_order_is_one(words, effect, kind, value):
    assert words_of(words).order_of(effect, kind, value)


@pytest.mark.parametrize(
    "later", ["No, leave it.", "Wait.", "Do not touch it yet", "Actually, skip that", "Cancel it."]
)
def test_a_later_message_takes_an_order_back(later):
    assert not words_of(f"Update budget.md{BETWEEN}{later}").order_of(*EDIT)
    assert words_of(f"{later}{BETWEEN}Update budget.md").order_of(*EDIT)


def test_another_message_leaves_an_order_standing():
    for later in ("What does it say now?", "Send the list to ann@example.com"):
        assert words_of(f"Update budget.md{BETWEEN}{later}").order_of(*EDIT)


def test_an_order_that_names_somebody_is_no_order_for_others_who_are_known():
    assert words_of("Send the list to ann@example.com").order("send")
    assert not words_of("Send the list to ann@example.com").order("send", "address")
    assert words_of("Send the list to Ann").order("send", "address")
    assert not words_of("Fetch https://example.com/a").order("fetch", "url")
    assert not words_of("Update budget.md").order("edit", "file")
    assert words_of("Update budget.md").order("edit", "task")


def test_a_message_that_nobody_would_type_orders_nothing():
    assert not words_of("Update budget.md. " + "Thanks! " * 1000).order_of(*EDIT)
    assert words_of("Update budget.md. " + "Thanks! " * 10).order_of(*EDIT)
