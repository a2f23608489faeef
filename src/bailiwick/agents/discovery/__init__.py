"""What a director finds out for itself: its agents, its tools, and how they are used."""

DISCOVERY = ("list_agents", "list_tools", "describe_tool", "validate_tool_params", "read_api_docs")
