"""This installation itself: its identity, its run-time settings, the record of changes."""
