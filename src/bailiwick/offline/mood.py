"""The mood of a text: words that show it, what turns them round, and likeness to plain examples."""

import re
from typing import Literal

from bailiwick.llm import vectors
from bailiwick.offline.extraction import said_in
from bailiwick.offline.text import listed, sentences, shortened, stem, words
from bailiwick.offline.work import Doc

Mood = Literal["angry", "worried", "sad", "pleased", "urgent", "neutral"]

_WORDS: dict[Mood, str] = {
    "angry": "angry furious outrageous unacceptable annoyed annoying disappointed disappointing "
    "terrible awful worst complaint complain ridiculous useless fed lawyer refund disgrace scandal "
    "ignored incompetent frustrated frustrating rude appalling outrage enough mess broken shame "
    "shocking dreadful poor unhappy displeased irritated livid disgusted",
    "worried": "worried worry concerned concern afraid anxious nervous uncertain unsure fear "
    "uneasy doubt doubts troubled alarmed scared",
    "sad": "sad sorry regret unfortunately loss grief mourn miss lonely tears heartbroken sorrow "
    "condolences passed depressed hopeless upset unhappy",
    "pleased": "thank thanks grateful happy pleased great wonderful excellent delighted love "
    "lovely perfect fantastic appreciate glad brilliant enjoyed satisfied superb kind marvellous "
    "amazing thrilled splendid joy",
    "urgent": "urgent urgently immediately asap quickly deadline emergency hurry promptly "
    "overdue critical straight",
}
_EXAMPLES: dict[Mood, str] = {
    "angry": "This is unacceptable, I am very angry and want my money back",
    "worried": "I am worried and unsure about what will happen",
    "sad": "I am so sad about this loss",
    "pleased": "Thank you so much, I am very happy with this",
    "urgent": "This is urgent, please answer immediately",
    "neutral": "Please find the document attached, the meeting is on Tuesday",
}
_OF: dict[str, Mood] = {
    stem(word): mood for mood, words in _WORDS.items() for word in words.split()
}
_TURNS = frozenset(
    listed("not no never isn't wasn't don't didn't can't cannot without hardly nothing")
)
_FEELS: tuple[Mood, ...] = ("angry", "worried", "sad", "pleased", "urgent")


def described(doc: Doc) -> str:
    """The mood of a text in words, with the sentence that shows it best."""
    mood, strength, quote = judged(doc.text)
    level = (
        ""
        if mood == "neutral"
        else " (strong)"
        if strength >= 2.5
        else " (mild)"
        if strength < 1.2
        else ""
    )
    of = f" of {doc.name}" if doc.name else ""
    because = f'\n\nIt shows here: "{shortened(quote, 240)}"' if quote and mood != "neutral" else ""
    return f"Mood{of}: {mood}{level}.{because}"


def judged(text: str) -> tuple[Mood, float, str]:
    """The mood, how strongly it shows, and where."""
    said = said_in(text) or sentences(text)[:20]
    totals: dict[Mood, float] = dict.fromkeys(_FEELS, 0.0)
    shown: dict[Mood, tuple[float, str]] = {}
    for each in said:
        for mood, score in _felt(each).items():
            totals[mood] += score
            if score > shown.get(mood, (0.0, ""))[0]:
                shown[mood] = (score, each)
    # Urgency goes along with other moods; it is the mood only where it is alone.
    order = sorted(_FEELS, key=lambda mood: (-totals[mood], mood == "urgent"))
    top = order[0]
    if totals[top] < 0.6:
        return "neutral", 0.0, ""
    return top, totals[top], shown[top][1]


def _felt(sentence: str) -> dict[Mood, float]:
    felt: dict[Mood, float] = {}
    said = words(sentence)
    for place, word in enumerate(said):
        mood = None if word.lower() == "please" else _OF.get(stem(word))
        if mood:
            turned = bool(_TURNS.intersection(said[max(0, place - 3) : place]))
            meant: Mood = mood if not turned else "angry" if mood == "pleased" else "neutral"
            if meant != "neutral":
                felt[meant] = felt.get(meant, 0.0) + 0.7
    loud = 0.3 * min(3, sentence.count("!")) + (
        0.4 if re.search(r"\b[A-Z]{4,}\b.*\b[A-Z]{3,}\b", sentence) else 0
    )
    felt = {mood: score + loud for mood, score in felt.items()}
    for mood, near in zip(
        _EXAMPLES, vectors.likeness(sentence, [*_EXAMPLES.values()]), strict=True
    ):
        if mood != "neutral" and near > 0.35:
            felt[mood] = felt.get(mood, 0.0) + near
    return felt
