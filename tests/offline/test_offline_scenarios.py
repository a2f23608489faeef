"""What the offline model can do, each in four offices and in several wordings.

None of it may depend on a name, a day or a phrase: the offices share none.
"""

from datetime import timedelta

import pytest

from support.paper_variants import VARIANTS, Variant
from support.paper_world import ALL, FILES, MAIL, Told, World, ask

pytestmark = pytest.mark.req("MODEL-02")


def every(*wordings: str):
    """Each wording in each office."""
    cases = [
        pytest.param(variant, wording, id=f"{variant.name}-{number}")
        for variant in VARIANTS
        for number, wording in enumerate(wordings)
    ]
    return pytest.mark.parametrize(("variant", "wording"), cases)


async def told(variant: Variant, request: str, **more: object) -> tuple[World, Told]:
    world = variant.world()
    return world, await ask(world, request, system=variant.system, **more)  # pyright: ignore


@every(
    "Summarise all the {0} from last week and create a summary.md file",
    "Please sum up last week's {0}, then save it as summary.md",
    "Write a summary of the {0} of the past week to summary.md.",
    "Could you give me the key points of the {0} from last week and put them into a file called "
    "summary.md?",
)
async def test_it_sums_up_the_papers_of_a_week_in_a_new_file(variant: Variant, wording: str):
    world, end = await told(variant, wording.format(variant.spoken))

    [made] = world.used("create_file")
    assert made["path"].startswith(f"{variant.top}/")
    assert made["path"].endswith("/summary.md")
    for fact in variant.facts:
        assert fact in made["content"]
    assert variant.old[1] not in made["content"]
    assert all(f"{name}" in made["content"] for name, _ in variant.entries)
    assert made["path"] in end.text


@every(
    "File the papers in the inbox",
    "Please sort my inbox.",
    "Put the new papers where they belong",
    "Tidy up the inbox: move each document to the right folder.",
)
async def test_it_files_each_paper_in_the_folder_that_is_most_like_it(
    variant: Variant, wording: str
):
    world, end = await told(variant, wording)

    for name, _, folder in variant.inbox:
        assert f"{variant.top}/{folder}/{name}" in world.files
        assert name in end.text
    assert len(world.used("move_file")) == len(variant.inbox)


@every("Which folder does {0} belong in?", "Where should {0} go?", "Suggest a folder for {0}.")
async def test_asked_only_where_a_paper_belongs_it_moves_nothing(variant: Variant, wording: str):
    name, _, folder = variant.inbox[0]

    world, end = await told(variant, wording.format(name))

    assert f"{variant.top}/{folder}" in end.text
    assert not world.used("move_file")


@every("{0}", "Can you tell me: {0}", "I would like to know the following. {0}")
async def test_it_answers_a_question_with_the_sentence_and_its_source(
    variant: Variant, wording: str
):
    path, _, question, expected = variant.lookup

    world, end = await told(variant, wording.format(question))

    assert expected in end.text
    assert path in end.text
    assert {name for name, _ in world.calls} <= {
        "memory_search",
        "search_content",
        "list_files",
        "read_file",
    }


@every("Read {0}", "Show me {0}, please.", "What does {0} say?", "Open the file {0}")
async def test_it_shows_a_file_by_its_bare_name(variant: Variant, wording: str):
    path, text, *_ = variant.lookup

    _, end = await told(variant, wording.format(path.rpartition("/")[2]))

    assert text in end.text


@every("List the files in {0}", "Which files are in {0}?", "What is in the folder {0}?")
async def test_it_lists_a_folder(variant: Variant, wording: str):
    _, end = await told(variant, wording.format(f"{variant.top}/inbox"))

    for name, *_ in variant.inbox:
        assert name in end.text
    assert variant.lookup[0] not in end.text


@every('Find "{0}"', 'Search for "{0}" in the files', 'Which files mention "{0}"?')
async def test_it_finds_the_file_that_holds_a_phrase(variant: Variant, wording: str):
    _, end = await told(variant, wording.format(variant.lookup[3]))

    assert variant.lookup[0] in end.text
    assert "inbox" not in end.text


@every(
    "Remind me to feed the cat on {0}",
    "Add a task to feed the cat by {0}",
    "Put 'feed the cat' on my to-do list, due {0}",
    "I need you to create a task: feed the cat, {0}",
)
async def test_it_makes_a_task_with_its_day(variant: Variant, wording: str):
    for said, days in (("tomorrow", 1), ("the day after tomorrow", 2), ("{iso}", 12)):
        due = variant.today + timedelta(days=days)

        world, end = await told(variant, wording.format(said.format(iso=due.isoformat())))

        [made] = world.used("create_task")
        assert made["title"].lower() == "feed the cat"
        assert made["due"] == due.isoformat()
        assert "feed the cat" in end.text.lower()


@every(
    "Mark the {0} task as done",
    "I have finished the task about the {0}",
    "Tick off {0}, please",
    "Complete the task with the {0}.",
)
async def test_it_ticks_off_the_task_that_is_meant(variant: Variant, wording: str):
    world, end = await told(variant, wording.format(variant.todo[1]))

    assert world.used("complete_task") == [{"task_id": "tsk-a"}]
    assert variant.todo[0] in end.text


@every(
    "Which tasks are due this week?",
    "What do I have to do this week?",
    "Show my tasks for this week",
)
async def test_it_lists_the_tasks_of_a_week(variant: Variant, wording: str):
    _, end = await told(variant, wording)

    assert variant.todo[0] in end.text
    assert variant.other_todo not in end.text


@every("Postpone the {0} task to {1}", "Move the due date of the {0} task to {1}")
async def test_it_gives_a_task_another_day(variant: Variant, wording: str):
    due = (variant.today + timedelta(days=9)).isoformat()

    world, _ = await told(variant, wording.format(variant.todo[1], due))

    assert world.used("update_task") == [{"task_id": "tsk-a", "due": due}]


@every(
    "Create tasks from {0}",
    "Read {0} and make a task of everything that is to be done.",
    "Extract the action items of {0} and add them to my to-do list",
)
async def test_it_makes_tasks_of_the_duties_in_a_text(variant: Variant, wording: str):
    path, _, _, duty = variant.meeting

    world, _ = await told(variant, wording.format(f"{variant.top}/{path}"))

    [made] = world.used("create_task")
    assert duty in made["title"]
    assert made["due"] > variant.today.isoformat()


@every(
    "Remember that {0}", "Please keep in mind that {0}", "Don't forget: {0}", "Save to memory: {0}"
)
async def test_it_remembers_what_it_is_told(variant: Variant, wording: str):
    fact = f"the {variant.todo[1]} matter is {variant.name}-important"

    world, _ = await told(variant, wording.format(fact))

    [added] = world.used("memory_add")
    assert added["content"].lower().strip(".") == fact.lower()


@every(
    "What do you remember about {0}?",
    "Do you recall anything on the {0}?",
    "Search your memory for {0}",
)
async def test_it_recalls_what_is_remembered(variant: Variant, wording: str):
    world, end = await told(variant, wording.format(variant.memory[1]))

    assert variant.memory[0] in end.text
    assert "printer" not in end.text
    assert not world.used("memory_add")


@every(
    "Write minutes of the meeting in {0} and save them as minutes.md",
    "Draft the minutes from {0} to minutes.md",
)
async def test_it_writes_minutes_with_decisions_and_duties(variant: Variant, wording: str):
    path, text, decision, duty = variant.meeting

    world, _ = await told(variant, wording.format(f"{variant.top}/{path}"))

    [made] = world.used("create_file")
    decided = made["content"].partition("## Decided")[2]
    assert decision in decided.partition("## To do")[0]
    assert duty in decided.partition("## To do")[2]
    assert text.splitlines()[1].partition(": ")[2] in made["content"]


@every(
    "Draft a reply to the mail from {0}",
    "Please answer the email of {0}",
    "Write a response to {0}'s mail",
)
async def test_a_drafted_reply_leaves_open_what_it_cannot_know(variant: Variant, wording: str):
    sender, _, subject, text = variant.mail

    world, end = await told(variant, wording.format(sender), tools=(*ALL, *MAIL))

    question = next(line for line in text.replace("? ", "?\n").splitlines() if "?" in line)
    assert f"Dear {sender}," in end.text
    assert subject in end.text
    assert question in end.text
    assert "[Your answer" in end.text
    assert not world.used("send_email")


@every(
    "Reply to the mail from {0} saying that it will be done on Friday and send it",
    "Answer {0}'s mail, telling them that it will be done on Friday. Then send the mail.",
)
async def test_it_sends_a_reply_to_whom_it_answers_when_told_to(variant: Variant, wording: str):
    sender, address, _, _ = variant.mail

    world, _ = await told(variant, wording.format(sender), tools=(*ALL, *MAIL))

    [sent] = world.used("send_email")
    assert sent["to"] == [address]
    assert "done on Friday" in sent["body"]


@every(
    "What is the mood of this mail?\n\n{0}",
    "How does the writer feel? Tell me the tone of the following text:\n{0}",
    "Judge the sentiment.\n---\n{0}",
)
async def test_it_tells_the_mood_of_a_text(variant: Variant, wording: str):
    head = "From: Someone <someone@example.org>\nSubject: Yesterday\n\n"

    _, cross = await told(variant, wording.format(head + variant.cross), tools=())
    _, glad = await told(variant, wording.format(head + variant.glad), tools=())

    assert "Mood: angry" in cross.text
    assert "Mood: pleased" in glad.text


@every(
    'Create a note called plan.md saying "first {0}, then rest"',
    'Make a new file plan.md with the text "first {0}, then rest".',
    'Save "first {0}, then rest" as plan.md',
)
async def test_it_writes_a_note_in_the_words_it_is_given(variant: Variant, wording: str):
    world, _ = await told(variant, wording.format(variant.todo[1]))

    [made] = world.used("create_file")
    assert made["path"] == f"{variant.top}/plan.md"
    assert made["content"] == f"first {variant.todo[1]}, then rest\n"


@every(
    'Append "{0}" to the file {1}',
    'Add the line "{0}" to {1}',
)
async def test_it_adds_to_a_file_and_keeps_the_rest(variant: Variant, wording: str):
    path, text, *_ = variant.lookup

    world, _ = await told(variant, wording.format("One more thing.", f"{variant.top}/{path}"))

    assert world.files[f"{variant.top}/{path}"] == f"{text}\nOne more thing.\n"


@every("Move {0} to {1}", "Please move the file {0} into the folder {1}.")
async def test_it_moves_a_file_where_it_is_told(variant: Variant, wording: str):
    name, _, _ = variant.inbox[0]
    folder = variant.inbox[1][2]

    world, _ = await told(variant, wording.format(name, f"{variant.top}/{folder}"))

    assert world.used("move_file") == [
        {"path": f"{variant.top}/inbox/{name}", "to": f"{variant.top}/{folder}/{name}"}
    ]


@every("Write a report about {0} and save it as report.md", "Prepare a report on {0} in report.md")
async def test_a_report_quotes_its_sources(variant: Variant, wording: str):
    path, text, *_ = variant.lookup
    about = path.rpartition("/")[2].partition(".")[0]

    world, _ = await told(variant, wording.format(f"the {about}"), tools=FILES)

    [made] = world.used("create_file")
    assert variant.lookup[3] in made["content"]
    assert f"{variant.top}/{path}" in made["content"]
    assert text.split(". ")[0] in made["content"]
