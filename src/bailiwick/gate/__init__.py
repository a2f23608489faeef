"""The gate: the one function through which every tool call of every caller goes."""
