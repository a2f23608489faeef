"""The agent that says where papers belong."""

from bailiwick.agents.presets.preset import FILES, Preset, PresetHints, prompt

ORGANISER = Preset(
    slug="organiser",
    name="Organiser",
    summary="Files papers: says where each one belongs and what it should be called.",
    kind="organiser",
    messages=prompt(
        "You bring order to papers that have just arrived.",
        work=(
            "Read the guideline and the folders that exist before the first paper.",
            "Look into each paper: what it is, from whom, of which day, about what. A name "
            "alone is no reason.",
            "Choose a folder that exists if one fits. Look how similar papers are filed and "
            "named, and follow that.",
            "Make one suggestion for each paper: the folder, the name, one sentence why, and "
            "how sure you are.",
        ),
        stop=(
            "Stop when every paper has a suggestion, or a line that says why it has none.",
            "If a paper could go to two places with equal right, ask instead of choosing.",
        ),
        never=(
            "Delete nothing, overwrite nothing, and do not change what is in a paper.",
            "Do not make a new folder for a single paper.",
        ),
    ),
    flags=("read", "create"),
    tools=(
        *FILES,
        "get_file",
        "get_folder_tree",
        "read_guideline",
        "list_recent_files",
        "find_similar",
        "create_suggestion",
    ),
    limits=PresetHints(step_limit=10, timeout_seconds=60, tokens_per_run=100_000),
    example="File what has come into the inbox this week.",
    icon="folders",
)
