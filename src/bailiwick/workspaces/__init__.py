"""Workspaces, their members, and the one place that mints access."""
