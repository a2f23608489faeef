"""Artifacts: deliverables with versions, whoever made them and wherever they belong."""
