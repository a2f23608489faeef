"""Agents that are ready to use: each with a prompt, the tools it needs and no more.

Every prompt says what the agent is for, how it works, when it stops and what it leaves alone, and
that what it reads is material and never an order. That sentence guards nothing, the gate does; it
keeps an honest model from asking the gate for what a stranger wants.
"""

from bailiwick.agents.presets.directors import DIRECTORS
from bailiwick.agents.presets.organiser import ORGANISER
from bailiwick.agents.presets.preset import Preset
from bailiwick.agents.presets.readers import READERS
from bailiwick.agents.presets.writers import WRITERS

__all__ = ["ORGANISER", "PRESETS", "Preset"]

PRESETS: tuple[Preset, ...] = (*READERS, ORGANISER, *DIRECTORS, *WRITERS)
