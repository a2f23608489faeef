"""Filters: patterns on the fields of a mail that say which director gets it."""
