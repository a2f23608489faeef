"""Short texts on what a director works with, for `read_api_docs`."""

TOPICS: dict[str, str] = {
    "agents": (
        "list_agents tells which agents you may ask. Each is a tool, agent__ and its name in "
        "small letters. Give it `input`, with all that it needs to know: it sees nothing of "
        "what you have read. It answers {sessionId, output, toolCalls, done}. An agent uses its "
        "own tools and its own scope, which may be wider or narrower than yours."
    ),
    "sessions": (
        "You have at most one open session with each agent. Left out, sessionId is that of the "
        "open one; with it you go on in the session that it names. A session expires when "
        "nobody speaks in it for a while, and ends when you are done. A message to one that is "
        "over is answered {error, reason}, with reason `expired` or `completed`: ask again "
        "without sessionId. options.allowTools false lets the agent answer without tools; "
        "options.toolFilter leaves it only the tools that it lists, by name or pattern, for "
        "that turn."
    ),
    "items": (
        "What you deliver are the items of the case, not your last words. workspace_add_item "
        "takes label, description, mimeType, encoding, data and tags; workspace_list_items and "
        "workspace_get_item show what is there; workspace_update_item takes id, patch and "
        "expectedRevision, and refuses a change of what has changed since; "
        "workspace_remove_item takes id and hardDelete. You and your agents share the items."
    ),
    "memory": (
        "memory_search takes scope, owner, tag and query, and looks at what is local to you, "
        "then at what is shared, then at what is global. memory_add takes scope and content, or "
        "entry with content and tags. memory_edit takes entry with the id and what is new. "
        "local is your own; shared is between a director and an agent of it; global is for all "
        "in the workspace."
    ),
    "gate": (
        "Every call passes the gate. It may be allowed, may wait for a person, or is refused "
        "with a reason. A call that waits is answered when the person has: do not look for a "
        "way around. After you have read the words of strangers, changes that nobody asked for "
        "wait. validate_tool_params says what the gate would say to a call, and makes none."
    ),
    "ids": (
        "Things have short ids such as email_1 or note_3. They hold in this workspace, for you "
        "and your agents. An id that you have not seen in an answer does not exist for you."
    ),
}
