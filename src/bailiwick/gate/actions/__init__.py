"""Writes: their intents, what became of them, and the way back."""
