"""Whom the owner knows: those they wrote to, and those they listed."""
