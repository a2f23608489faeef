"""Outside clients, each with an identity, a token and a scope of its own."""
