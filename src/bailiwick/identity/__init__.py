"""Who may come in: users, their sessions and tokens, and the ways to sign in."""
