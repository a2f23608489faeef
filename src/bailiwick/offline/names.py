"""The names of the offline models, which need nothing heavy to be known."""

from typing import Final

DEAF: Final = "offline"
# Does what any text that it reads tells it to do: to show what the gate does, and for nothing else.
GULLIBLE: Final = "offline-gullible"
