"""Prompts: messages with variables, written once and used by agents; templates to start from."""
