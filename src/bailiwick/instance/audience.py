"""Who may see an event. A viewer holds some of these words, an event names some: one must match."""

EVERYONE = "everyone"
ADMINS = "admins"


def user(id: str) -> str:
    """One person alone."""
    return f"user:{id}"


def workspace(id: str) -> str:
    """The members of a workspace."""
    return f"workspace:{id}"


def workspace_admins(id: str) -> str:
    """The admins of a workspace."""
    return f"workspace-admins:{id}"
