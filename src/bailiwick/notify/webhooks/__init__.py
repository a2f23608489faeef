"""Webhooks: events sent to other systems, signed, retried, and kept in a log."""
