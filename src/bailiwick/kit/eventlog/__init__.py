"""The event log, the bus that wakes its readers, and the readers themselves."""

from bailiwick.kit.eventlog.log import Event, Recorded, record

__all__ = ["Event", "Recorded", "record"]
