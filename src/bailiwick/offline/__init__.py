"""A model that needs no key and no network. It is rules and likeness of words, and it is not AI.

It stands behind the same adapter as any other. Only the user's words and the system prompt steer
it: what tools return is material to quote and compare, and is never read as an order.
"""
