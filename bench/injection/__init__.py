"""A fully hijacked agent, and an honest one, against the real gate."""
