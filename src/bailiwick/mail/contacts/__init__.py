"""Contacts: people whom the owner wrote to or listed."""
