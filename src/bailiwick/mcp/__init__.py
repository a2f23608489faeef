"""The Model Context Protocol: adapters onto the gate."""
