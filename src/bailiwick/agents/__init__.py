"""Agents: configured workers, their prompts and presets."""
