"""The built-in kinds: a pattern that finds what may be one, and a check that says whether it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bailiwick.gate.redactions import numbers, phones
from bailiwick.kit.patterns import Span

Measure = Callable[[bytes, int, int], Iterator[Span]]


def found(_: bytes, start: int, end: int) -> Iterator[Span]:
    """As the pattern found it."""
    yield start, end


def random(data: bytes, start: int, end: int) -> Iterator[Span]:
    """As it was found, if it has a digit in it: words joined by hyphens have none."""
    if numbers.digits(data[start:end]):
        yield start, end


@dataclass(frozen=True, slots=True)
class RedactionKind:
    """Something that is recognised out of the box."""

    id: str
    name: str
    description: str
    replacement: str
    patterns: tuple[tuple[str, Measure], ...]
    enabled: bool = True


_PEM_BEGIN = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"

KINDS: tuple[RedactionKind, ...] = (
    RedactionKind(
        "private-key",
        "Private keys",
        "Private keys in PEM form, whole or cut off",
        "[PRIVATE KEY]",
        (
            (rf"(?s){_PEM_BEGIN}.*?{_PEM_END}", found),
            (rf"{_PEM_BEGIN}(?:(?:\s|\\n|\\r)*[A-Za-z0-9+/=]{{16,}})*", found),
            (r"AGE-SECRET-KEY-1[0-9A-Z]{58}", found),
        ),
    ),
    RedactionKind(
        "key",
        "Keys and tokens",
        "Keys of AWS, GitHub, GitLab, Slack, Google, Stripe, OpenAI and the like, signed tokens "
        "(JWT), passwords in addresses, and this office's own tokens",
        "[KEY]",
        (
            (r"\bbw[tco]_[A-Za-z0-9_-]{16,}", found),
            (r"\bwhsec_[A-Za-z0-9+/]{24,}={0,2}", found),
            (r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z2-7]{16}\b", found),
            (
                r"(?i)\baws_?secret(?:_?access)?_?key[\"']?\s{0,5}[:=]\s{0,5}[\"']?"
                r"([A-Za-z0-9/+]{40})",
                found,
            ),
            (r"\bgh[pousr]_[A-Za-z0-9]{30,}", found),
            (r"\bgithub_pat_[A-Za-z0-9_]{22,}", found),
            (r"\bglpat-[A-Za-z0-9_-]{20,}", found),
            (r"\bxox[abceoprs]-[A-Za-z0-9-]{10,}", random),
            (r"\bxapp-[0-9]-[A-Za-z0-9-]{10,}", found),
            (r"hooks\.slack\.com/services/([A-Za-z0-9/]{20,})", found),
            (r"\bsk-[A-Za-z0-9_-]{20,}", random),
            (r"\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}", found),
            (r"\bAIza[0-9A-Za-z_-]{35}", found),
            (r"\bya29\.[0-9A-Za-z_-]{20,}", found),
            (r"\bGOCSPX-[0-9A-Za-z_-]{20,}", found),
            (r"\bnpm_[A-Za-z0-9]{36}\b", found),
            (r"\bhf_[A-Za-z0-9]{30,}", found),
            (r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", found),
            (r"\bdo[opr]_v1_[a-f0-9]{64}\b", found),
            (r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}", found),
            (r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*", found),
            (r"(?i)\bAccountKey=([A-Za-z0-9+/]{60,}={0,2})", found),
            (r"(?i)\bbearer\s{1,5}([A-Za-z0-9._~+/-]{20,}={0,2})", random),
            (
                r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@",
                found,
            ),
        ),
    ),
    RedactionKind(
        "card",
        "Payment cards",
        "Numbers of payment cards with a valid check digit",
        "[CARD]",
        ((r"[0-9]{3}[0-9 \x{a0}-]{9,}[0-9]", numbers.cards),),
    ),
    RedactionKind(
        "iban",
        "Bank accounts (IBAN)",
        "International bank account numbers with valid check digits",
        "[IBAN]",
        ((r"(?i)\b[A-Z]{2}[0-9]{2}[ -]?[A-Z0-9]{4}", numbers.ibans),),
    ),
    RedactionKind(
        "us-ssn",
        "Social security numbers (US)",
        "Numbers such as 123-45-6789 that can have been given out",
        "[NATIONAL ID]",
        (
            (r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b", numbers.american),
            (r"\b[0-9]{3} [0-9]{2} [0-9]{4}\b", numbers.american),
        ),
    ),
    RedactionKind(
        "uk-nino",
        "National insurance numbers (UK)",
        "Numbers such as AB 12 34 56 C",
        "[NATIONAL ID]",
        (
            (
                r"(?i)\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\b",
                numbers.british,
            ),
        ),
    ),
    RedactionKind(
        "german-tax-id",
        "Tax ids (Germany)",
        "Steuerliche Identifikationsnummer, with a valid check digit",
        "[NATIONAL ID]",
        ((r"\b[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}\b", numbers.german),),
    ),
    RedactionKind(
        "french-nir",
        "Social security numbers (France)",
        "Numéro de sécurité sociale, with a valid key",
        "[NATIONAL ID]",
        (
            (
                r"\b[12] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[AaBb]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}\b",
                numbers.french,
            ),
        ),
    ),
    RedactionKind(
        "spanish-dni",
        "Identity numbers (Spain)",
        "DNI and NIE with a valid letter",
        "[NATIONAL ID]",
        ((r"(?i)\b(?:[0-9]{8}|[XYZ]-?[0-9]{7})-?[A-HJ-NP-TV-Z]\b", numbers.spanish),),
    ),
    RedactionKind(
        "italian-cf",
        "Tax codes (Italy)",
        "Codice fiscale with a valid check letter",
        "[NATIONAL ID]",
        (
            (
                r"(?i)\b[A-Z]{6}[0-9LMNP-V]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]\b",
                numbers.italian,
            ),
        ),
    ),
    RedactionKind(
        "swiss-ahv",
        "Social insurance numbers (Switzerland)",
        "AHV numbers with a valid check digit",
        "[NATIONAL ID]",
        ((r"\b756[. ]?[0-9]{4}[. ]?[0-9]{4}[. ]?[0-9]{2}\b", numbers.swiss),),
    ),
    RedactionKind(
        "phone",
        "Phone numbers",
        "International numbers, and national ones as commonly written",
        "[PHONE]",
        (
            (phones.INTERNATIONAL, phones.international),
            (phones.AMERICAN, phones.american),
            (phones.NATIONAL, phones.national),
        ),
        enabled=False,
    ),
)
BY_ID = {kind.id: kind for kind in KINDS}
