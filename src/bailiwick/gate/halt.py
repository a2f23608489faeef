"""While everything is stopped, nothing passes."""

from bailiwick.gate.call import Denied, Outcome
from bailiwick.gate.passage import Passage, Step
from bailiwick.gate.services import Services


async def check(services: Services, passage: Passage, proceed: Step) -> Outcome:
    """Refuse every call until the stop is released."""
    if await services.halts.is_up():
        return Denied("halted", "Everything is stopped. An admin can release it.")
    return await proceed(services, passage)
