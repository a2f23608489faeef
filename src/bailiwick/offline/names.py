"""The offline models, which need nothing heavy to be known."""

from bailiwick.llm.provider import BuiltinModel

OFFLINE = BuiltinModel(model="offline", name="Offline", label="Rules, not AI")
# Does what any text that it reads tells it to do: to show what the gate does, and for nothing else.
GULLIBLE = BuiltinModel(
    model="offline-gullible",
    name="Offline, gullible",
    label="Rules, not AI. Does what any text it reads tells it: for demonstrations only",
    ready=False,
    may_be_default=False,
)
