"""The way out: every connection that this office opens to a server somewhere else."""
