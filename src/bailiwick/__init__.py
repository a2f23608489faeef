"""Bailiwick: a local-first office for AI agents, where every action passes one gate."""

__version__ = "0.1.0"
