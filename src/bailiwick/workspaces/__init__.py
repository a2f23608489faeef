"""Who shares what: workspaces, their members, and the one place that mints access."""
