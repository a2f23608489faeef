/** What can be told to the page instead of the agent. */
export const COMMANDS = [
  { name: "new", does: "Begin a new conversation" },
  { name: "stop", does: "Stop the agent" },
  { name: "title", does: "Name this conversation", takes: "a name" },
  { name: "export", does: "Save this conversation as markdown" },
  { name: "pin", does: "Pin it to the top of the list, or take the pin away" },
  { name: "archive", does: "Put it out of sight" },
] as const;

export type Command = (typeof COMMANDS)[number];
export type CommandName = Command["name"];

/** The commands that what is typed may become; none once it says something else. */
export function commandsFor(text: string): Command[] {
  const typed = /^\/([a-z]*)$/.exec(text)?.[1];
  return typed === undefined ? [] : COMMANDS.filter(({ name }) => name.startsWith(typed));
}

/** The command that a whole text is, with what follows it. */
export function commandOf(text: string): { name: CommandName; rest: string } | null {
  const [, typed, rest = ""] = /^\/([a-z]+)(?:\s+([^\n]*))?$/.exec(text.trim()) ?? [];
  const command = COMMANDS.find(({ name }) => name === typed);
  if (!command) return null;
  // "/stop doing that" is said to the agent.
  return rest && !("takes" in command) ? null : { name: command.name, rest: rest.trim() };
}
