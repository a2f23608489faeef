"""Diagnostics: what directors and their agents did, step by step, for admins."""
