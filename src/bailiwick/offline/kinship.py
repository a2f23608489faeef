"""Words of an office and a household that belong to the same matter.

Vectors know many likenesses, but single words too few of them; these are added.
"""

from functools import cache

from bailiwick.offline.text import stem

_MATTERS = (
    "invoice bill receipt payment pay paid statement account finance financial money bank banking "
    "tax taxes vat budget expense cost fee balance debit credit loan purchase amount accounting",
    "contract agreement lease legal law lawyer clause signature notary terms tenancy deed court",
    "insurance policy claim premium coverage insurer liability",
    "recipe cooking cook kitchen food dish meal baking bake dinner ingredient oven soup cake bread",
    "travel trip flight hotel itinerary booking holiday vacation journey train ticket passport "
    "airline boarding departure visa luggage",
    "health medical doctor clinic hospital prescription patient medicine therapy dentist diagnosis "
    "vaccination treatment physician surgery",
    "experiment lab laboratory research trial measurement sample hypothesis study assay result "
    "science scientific",
    "meeting minutes agenda attendee conference call discussion protocol",
    "car vehicle garage engine tyre tire driving licence workshop bicycle",
    "house home property rent rental flat apartment housing building roof repair renovation "
    "plumber heating landlord mortgage household",
    "school course lesson teacher education study university class exam homework pupil training",
    "job career salary payslip employment employee hr hiring cv resume applicant staff personnel "
    "application interview vacancy",
    "energy electricity gas power water utility utilities meter supplier",
    "marketing campaign advertising brand newsletter audience promotion",
    "software code programming developer bug release computer server network technical",
    "garden plant seed vegetable flower soil harvest gardening",
    "sport training match team club league tournament fitness",
    "warranty manual guarantee appliance device instructions",
    "family child children parent birth wedding birthday personal",
    "customer client order delivery shipment shipping complaint refund support sales",
    "book novel reading author library literature",
    "music concert song band instrument",
    "pet animal vet dog cat",
)


@cache
def _matters() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, matter in enumerate(_MATTERS):
        for word in matter.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def matters(stemmed: str) -> frozenset[int]:
    """The matters that a word belongs to, given without its ending."""
    return _matters().get(stemmed, frozenset())
