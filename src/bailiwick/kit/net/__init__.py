"""Outbound connections: everything that this office connects to goes through here."""
