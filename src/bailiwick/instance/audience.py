"""Who may see an event. A viewer holds some of these words, an event names some: one must match."""

EVERYONE = "everyone"
ADMINS = "admins"


def user(id: str) -> str:
    """One person alone."""
    return f"user:{id}"


def account(id: str) -> str:
    """Those to whom an account is open: its owner, and with whom they share it."""
    return f"account:{id}"


def thread(id: str) -> str:
    """Those with whom a thread is shared; its owner hears of it by name."""
    return f"thread:{id}"


def workspace(id: str) -> str:
    """The members of a workspace."""
    return f"workspace:{id}"
