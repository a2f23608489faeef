"""The task queue: tasks given to agents, and what came of them."""
