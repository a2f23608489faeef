"""The same office four times: other people, other matters, other days, other words for things."""

from dataclasses import dataclass, field
from datetime import date, timedelta

from support.paper_world import World


@dataclass(frozen=True)
class Variant:
    """What one of the offices holds, and what is said of it there."""

    name: str
    today: date
    top: str
    series: str  # the folder of papers that are summed up, and how people speak of them
    spoken: str
    entries: tuple[tuple[str, str], ...]  # a paper's name and text; {day} is in the week before
    facts: tuple[str, ...]  # what a summary of them has to hold
    old: tuple[str, str]  # a paper of the same kind from long ago, and a word that only it holds
    inbox: tuple[tuple[str, str, str], ...]  # name, text, and the folder where it belongs
    folders: dict[str, str]  # a folder and a file that is in it
    lookup: tuple[str, str, str, str]  # a path, its text, a question, what the answer must hold
    todo: tuple[str, str]  # an open task, and how somebody speaks of it
    other_todo: str
    memory: tuple[str, str]  # what is remembered, and what it is about
    meeting: tuple[str, str, str, str]  # a path, its text, a decision, somebody's duty
    mail: tuple[str, str, str, str]  # sender, address, subject, text
    cross: str  # an angry text
    glad: str
    extra: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def monday(self) -> date:
        """Of the week before."""
        return self.today - timedelta(days=self.today.weekday() + 7)

    @property
    def system(self) -> str:
        return f"You work for the people of this office. Today is {self.today.isoformat()}."

    def world(self) -> World:
        files = dict(self.extra)
        for number, (name, text) in enumerate(self.entries):
            day = self.monday + timedelta(days=number)
            files[f"{self.top}/{self.series}/{day.isoformat()}-{name}"] = text
        before = self.monday - timedelta(days=40)
        files[f"{self.top}/{self.series}/{before.isoformat()}-old.md"] = self.old[0]
        for folder, held in self.folders.items():
            files[f"{self.top}/{folder}/{held}"] = "Kept here."
        for name, text, _ in self.inbox:
            files[f"{self.top}/inbox/{name}"] = text
        files[f"{self.top}/{self.lookup[0]}"] = self.lookup[1]
        files[f"{self.top}/{self.meeting[0]}"] = self.meeting[1]
        sender, address, subject, text = self.mail
        return World(
            files=files,
            tasks=[
                _task("tsk-a", self.todo[0], self.today + timedelta(days=1)),
                _task("tsk-b", self.other_todo, self.today + timedelta(days=40)),
            ],
            memories=[self.memory[0], "The printer is on the second floor."],
            mails=[
                {
                    "id": "mail-1",
                    "from": f"{sender} <{address}>",
                    "subject": subject,
                    "date": self.today.isoformat(),
                    "body": text,
                },
                {
                    "id": "mail-2",
                    "from": "Newsletter <news@shop.example>",
                    "subject": "Ten offers for you",
                    "date": self.today.isoformat(),
                    "body": "Everything must go.",
                },
            ],
        )


def _task(id: str, title: str, due: date) -> dict[str, object]:
    return {"id": id, "title": title, "due": due.isoformat(), "notes": "", "status": "open"}


LAB = Variant(
    name="lab",
    today=date(2026, 11, 11),
    top="Files",
    series="experiments",
    spoken="experiments",
    entries=(
        (
            "yeast.md",
            "# Yeast\n\nWe grew yeast at three temperatures. Growth was fastest at 32 degrees, "
            "with a doubling time of 84 minutes. The flasks were the usual ones.",
        ),
        (
            "glue.md",
            "# Glue\n\nThe new glue held 41 kg before it broke. It smells a little. The old one "
            "held 25 kg.",
        ),
    ),
    facts=("84 minutes", "41 kg"),
    old=("# Paint\n\nThe purple paint dried within 5 hours.", "purple"),
    inbox=(
        (
            "scan-001.txt",
            "INVOICE 4711\nNorthwind Power Ltd.\nElectricity for October.\nAmount due: 112.40 EUR.",
            "money/bills",
        ),
        (
            "letter.txt",
            "Dear tenant, the rent of your flat rises in January. Please sign the lease agreement.",
            "home",
        ),
        (
            "lemon.txt",
            "Pasta with lemon. Cook the pasta in salted water, add butter and cheese. Serve hot.",
            "cooking",
        ),
    ),
    folders={"money/bills": "water-2025.txt", "home": "tenancy.md", "cooking": "soup.md"},
    lookup=(
        "home/keys.md",
        "Spare keys. The key of the cellar is with Mrs. Novak. The garage has none.",
        "Who has the key of the cellar?",
        "Novak",
    ),
    todo=("Call the dentist", "dentist"),
    other_todo="Send the tax return",
    memory=("The door code is 4411.", "door code"),
    meeting=(
        "meetings/board.md",
        "Board meeting\nPresent: Ann, Bo, Cy\n\nWe talked about the new office and its price. It "
        "was decided to move in March. Ann has to call the mover by 20 November 2026.",
        "decided to move in March",
        "call the mover",
    ),
    mail=(
        "Jane Doe",
        "jane@chairs.example",
        "Delivery of the chairs",
        "Hello,\n\nwhen will the chairs be delivered? We need them for a party.\n\nJane",
    ),
    cross="I am fed up. This is the third time that my order arrives broken! I want my money back.",
    glad="Thank you so much, the new lamp is wonderful and we are very happy with it.",
)
FARM = Variant(
    name="farm",
    today=date(2027, 3, 3),
    top="Hof",
    series="field-trials",
    spoken="field trials",
    entries=(
        (
            "barley.md",
            "Barley was sown on plot seven. The early variety yielded 6.2 tonnes per hectare. Rain "
            "fell on two days.",
        ),
        (
            "clover.md",
            "Clover between the rows kept weeds down. Weeding took 35 hours less than last year. "
            "The bees liked it.",
        ),
    ),
    facts=("6.2 tonnes", "35 hours"),
    old=("The lupin seeds rotted in the wet ground.", "lupin"),
    inbox=(
        (
            "doc17.txt",
            "Dr. Abel, veterinary clinic. The dog was vaccinated. Next vaccination in one year.",
            "animals",
        ),
        (
            "doc18.txt",
            "Policy 88-12: your liability insurance is renewed. The yearly premium is 310 EUR.",
            "insurance",
        ),
        (
            "doc19.txt",
            "Your train ticket to Vienna. Departure 8:15 from platform 3. The hotel is booked.",
            "travel",
        ),
    ),
    folders={"animals": "cat-passport.txt", "insurance": "claim-2024.txt", "travel": "oslo.md"},
    lookup=(
        "machines/tractor.md",
        "The tractor was serviced in May. Its tank holds 120 litres. The tyres are new.",
        "How many litres does the tank of the tractor hold?",
        "120 litres",
    ),
    todo=("Order seed potatoes", "seed potatoes"),
    other_todo="Repair the fence",
    memory=("Frau Huber delivers the hay on Thursdays.", "hay"),
    meeting=(
        "club/notes.txt",
        "Growers' meeting\nParticipants: Ida, Tom\n\nThe price of water was discussed at length. "
        "The group agreed to buy a pump together. Tom will ask three dealers by 15 March 2027.",
        "agreed to buy a pump",
        "ask three dealers",
    ),
    mail=(
        "Oskar Lind",
        "oskar@mill.example",
        "Price of rye",
        "Good day,\n\nwhat do you ask for a tonne of rye? I could fetch it myself.\n\nOskar",
    ),
    cross="Your driver was rude and left the gate open. That is unacceptable, and I am furious!",
    glad="The apples were excellent. Many thanks, we enjoyed them a lot and are delighted.",
)
STUDIO = Variant(
    name="studio",
    today=date(2026, 6, 19),
    top="Notes",
    series="interviews",
    spoken="interviews",
    entries=(
        (
            "mara.md",
            "Mara tested the booking page. She needed 9 minutes to find the calendar. She likes "
            "the colours.",
        ),
        (
            "ravi.md",
            "Ravi used his phone. He gave up at the payment page because the button was hidden. He "
            "was tired that day.",
        ),
    ),
    facts=("9 minutes", "payment page"),
    old=("Greta wanted a darker theme.", "Greta"),
    inbox=(
        (
            "a1.txt",
            "Payslip for May. Your gross salary is 3,100 EUR. Employee number 77.",
            "staff",
        ),
        (
            "a2.txt",
            "Release notes: the server crashed because of a bug in the network code. Now fixed.",
            "software",
        ),
        (
            "a3.txt",
            "The newsletter campaign reached a new audience. The brand is better known now.",
            "marketing",
        ),
    ),
    folders={"staff": "holidays.md", "software": "setup.md", "marketing": "posters.md"},
    lookup=(
        "clients/orlov.md",
        "Orlov wants a new logo. The budget is 4,800 EUR. The draft is due on 3 July 2026.",
        "How much is the budget of Orlov?",
        "4,800 EUR",
    ),
    todo=("Renew the domain name", "domain"),
    other_todo="Water the plants",
    memory=("Kenji likes short mails.", "Kenji"),
    meeting=(
        "clients/kickoff.md",
        "Kick-off\nAttendees: Kenji, Lou\n\nThe old site was looked at. We decided to drop the "
        "forum. Lou must send the sketches until 26 June 2026.",
        "decided to drop the forum",
        "send the sketches",
    ),
    mail=(
        "Lou Fern",
        "lou@fern.example",
        "The sketches",
        "Hi,\n\ncan we meet on Tuesday to go through the sketches? I would bring prints.\n\nLou",
    ),
    cross="Nobody answers me. The worst support ever, a disgrace. Give me a refund immediately!",
    glad="I love the logo. Perfect work, thanks, and greetings to the whole team!",
)
HOME = Variant(
    name="home",
    today=date(2028, 1, 5),
    top="Papers",
    series="diary",
    spoken="diary pages",
    entries=(
        (
            "run.txt",
            "Ran along the river in 52 minutes, a personal best. The knee was fine. Soup after.",
        ),
        (
            "choir.txt",
            "The choir sang at the town hall and 140 people came. The bus was late after it.",
        ),
    ),
    facts=("52 minutes", "140 people"),
    old=("Bought a trombone at the flea market.", "trombone"),
    inbox=(
        (
            "p-1.txt",
            "Tax office. Your tax statement: a payment of 1,020 EUR is due. Bank account below.",
            "finances",
        ),
        (
            "p-2.txt",
            "Prescription by Dr. Wolf: one tablet a day. Come back to the clinic in May.",
            "health",
        ),
        (
            "p-3.txt",
            "School letter: the exam in mathematics is next week, says the teacher of the class.",
            "school",
        ),
    ),
    folders={"finances": "bank-2026.txt", "health": "x-ray.txt", "school": "timetable.txt"},
    lookup=(
        "house/boiler.txt",
        "The boiler was installed by Keller & Sons. The warranty ends on 4 May 2031. It is loud.",
        "When does the warranty of the boiler end?",
        "4 May 2031",
    ),
    todo=("Pick up the parcel at the post office", "parcel"),
    other_todo="Book a campsite",
    memory=("Grandma is allergic to nuts.", "grandma"),
    meeting=(
        "house/owners.txt",
        "Owners' meeting\nIn attendance: Fam. Roth, Fam. Abay\n\nThe stairs are dirty, some "
        "said. It was agreed to hire a cleaner. Mr. Abay needs to collect offers by 31 January "
        "2028.",
        "agreed to hire a cleaner",
        "collect offers",
    ),
    mail=(
        "Priya Nair",
        "priya@choir.example",
        "Concert in May",
        "Dear all,\n\nwho can bring chairs to the concert? We are twenty short.\n\nPriya",
    ),
    cross="What a mess! You ignored my complaint again. I am disappointed and will call a lawyer.",
    glad="What a lovely evening. We are so grateful, the food was fantastic.",
)
VARIANTS = (LAB, FARM, STUDIO, HOME)
