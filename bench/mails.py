"""Mails as an office gets them, made up: words as common and as rare as in real ones."""

import itertools
import random
import string
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

START = datetime(2024, 1, 1, 8, tzinfo=UTC)
_PEOPLE = 3000
_VOCABULARY = 60_000


class Writer:
    """Writes mails; the same ones for the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self.words = self._vocabulary()
        weights = [1 / (place + 2.7) ** 1.05 for place in range(len(self.words))]
        self._cumulative = list(itertools.accumulate(weights))

    def _vocabulary(self) -> list[str]:
        letters = string.ascii_lowercase
        made = {
            "".join(self._random.choice(letters) for _ in range(self._random.randint(3, 9)))
            for _ in range(_VOCABULARY)
        }
        ordered = sorted(made)
        self._random.shuffle(ordered)
        return ordered

    def text(self, count: int) -> str:
        """So many words, common ones more often."""
        return " ".join(self._random.choices(self.words, cum_weights=self._cumulative, k=count))

    def person(self) -> str:
        """Someone with an address."""
        number = self._random.randint(1, _PEOPLE)
        return f"{self.words[number].title()} Person <person{number}@example{number % 50}.org>"

    def moment(self, number: int) -> datetime:
        """When the mail of a number was received: some minutes after the one before."""
        return START + timedelta(minutes=7 * number)

    def mail(self, number: int) -> bytes:
        """A mail: plain, as HTML too in every third, with a file in every tenth."""
        made = EmailMessage()
        made["Received"] = "from mx.example.org by imap.example.org; " + format_datetime(
            self.moment(number)
        )
        made["From"], made["To"] = self.person(), "Olive Owner <olive@office.example>"
        made["Subject"] = self.text(6)
        made["Date"] = format_datetime(self.moment(number))
        made["Message-ID"] = f"<{number}.bench@example.org>"
        if number % 3 == 1:
            made["In-Reply-To"] = f"<{number - 1}.bench@example.org>"
            made["References"] = f"<{number - 1}.bench@example.org>"
        lines = [self.text(12) for _ in range(self._random.randint(4, 40))]
        made.set_content("\n".join(lines))
        if number % 3 == 0:
            paragraphs = "".join(f"<p style='color:#222'>{line}</p>" for line in lines)
            made.add_alternative(f"<html><body>{paragraphs}</body></html>", subtype="html")
        if number % 10 == 0:
            content = self._random.randbytes(20_000)
            made.add_attachment(
                content, maintype="application", subtype="pdf", filename=f"paper{number}.pdf"
            )
        return made.as_bytes()

    def mails(self, count: int) -> Iterator[bytes]:
        """So many of them."""
        return (self.mail(number) for number in range(count))


def maildir(folder: Path, count: int) -> Path:
    """A Maildir of so many mails."""
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, mail in enumerate(Writer().mails(count)):
        (folder / "cur" / f"{number:07d}.bench:2,S").write_bytes(mail)
    return folder
