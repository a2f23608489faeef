"""This installation itself: its identity, its run-time settings and the record of who changed what."""
