"""Conversations: threads of messages between people and their assistants."""
