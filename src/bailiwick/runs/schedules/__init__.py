"""Agents set to work at given times."""
