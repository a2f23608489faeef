"""Users, their sessions and tokens, and the ways to sign in."""
