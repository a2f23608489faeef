"""Runs: durable executions of agents, as chains of short segments."""
