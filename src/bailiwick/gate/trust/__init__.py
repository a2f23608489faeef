"""Whose words a call rests on: what was read, what the owner wrote, what they ordered."""
