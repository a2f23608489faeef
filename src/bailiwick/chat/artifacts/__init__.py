"""Artifacts of threads: reports, insights, tables and pictures that agents and people make."""
