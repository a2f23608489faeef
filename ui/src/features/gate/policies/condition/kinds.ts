/** The conditions that the form can show: each writes JSON-Logic, and knows its own again. */

export type Logic = boolean | Record<string, unknown>;

interface Form {
  /** What it asks about, for the form. */
  label: string;
  /** How one answers: names to type, a choice of some, two hours, or nothing but yes and no. */
  input: "names" | "choice" | "hours" | "none";
  choices?: { value: string; label: string }[];
  placeholder?: string;
  initial: string[];
  write: (values: string[]) => Logic;
  read: (logic: Logic) => string[] | null;
}

const EFFECTS = {
  read: "Read",
  create: "Create",
  edit: "Edit",
  move: "Move",
  label: "Label",
  complete: "Complete",
  send: "Send",
  share: "Share",
  invite: "Invite",
  fetch: "Fetch",
  delete: "Delete",
  execute: "Run code",
};
const CALLERS = { user: "A person", agent: "An agent", client: "An MCP client" };
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const HOUR = { var: "time.hour" };
const FOLDER = { var: "path.folder" };

export const choicesOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export const EFFECT_CHOICES = choicesOf(EFFECTS);
export const CALLER_CHOICES = choicesOf(CALLERS);

export const KINDS = {
  tool: {
    label: "Tool",
    input: "names",
    placeholder: "write_file",
    initial: [],
    ...oneOf({ var: "tool" }),
  },
  effect: {
    label: "What the tool does",
    input: "choice",
    choices: EFFECT_CHOICES,
    initial: [],
    ...oneOf({ var: "effect" }),
  },
  callerKind: {
    label: "Kind of caller",
    input: "choice",
    choices: CALLER_CHOICES,
    initial: ["client"],
    ...oneOf({ var: "caller.kind" }),
  },
  caller: {
    label: "Caller's name",
    input: "names",
    placeholder: "Claude Code",
    initial: [],
    ...oneOf({ var: "caller.name" }),
  },
  folder: {
    label: "Folder, and all in it",
    input: "names",
    placeholder: "Files/Papers",
    initial: [],
    write: (folders) => ({
      or: folders.flatMap((one) => [{ "==": [FOLDER, one] }, { starts_with: [FOLDER, `${one}/`] }]),
    }),
    read: readFolders,
  },
  suffix: {
    label: "File's ending",
    input: "names",
    placeholder: ".pdf",
    initial: [],
    // Without regard to case: a rule about .env is about .ENV too.
    ...oneOf({ lower: [{ var: ["path.suffix", ""] }] }),
  },
  tainted: {
    label: "Has read strangers' words",
    input: "none",
    initial: [],
    ...exactly({ "!!": [{ var: "run.tainted" }] }),
  },
  ungrounded: {
    label: "Goes to someone you did not name",
    input: "none",
    initial: [],
    ...exactly({
      "<": [{ length: [{ var: "recipients.grounded" }] }, { length: [{ var: "recipients.all" }] }],
    }),
  },
  hours: {
    label: "Hour of the day",
    input: "hours",
    initial: ["8", "18"],
    write: writeHours,
    read: readHours,
  },
  weekdays: {
    label: "Day of the week",
    input: "choice",
    choices: DAYS.map((label, day) => ({ value: String(day + 1), label })),
    initial: ["1", "2", "3", "4", "5"],
    write: (days) => ({ in: [{ var: "time.weekday" }, days.map(Number)] }),
    read: (logic) => {
      const [day, days] = argumentsOf(logic, "in");
      return isSame(day, { var: "time.weekday" }) && Array.isArray(days) && days.every(isDay)
        ? days.map(String)
        : null;
    },
  },
} satisfies Record<string, Form>;

export type Kind = keyof typeof KINDS;

export const formOf = (kind: Kind): Form => KINDS[kind];

export const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one) === JSON.stringify(other);

/** The arguments of an operator; none if it is another one. */
export function argumentsOf(logic: unknown, operator: string): unknown[] {
  if (typeof logic !== "object" || logic === null) return [];
  const [[name, given] = [], ...more] = Object.entries(logic);
  if (name !== operator || more.length > 0) return [];
  return Array.isArray(given) ? given : [given];
}

const isText = (value: unknown): value is string => typeof value === "string";
const isDay = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 7;
const isHour = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= -1 && Number(value) <= 24;

/** A fact is one of some texts. */
function oneOf(fact: object): Pick<Form, "write" | "read"> {
  return {
    write: (values) => (values.length === 1 ? { "==": [fact, values[0]] } : { in: [fact, values] }),
    read: (logic) => {
      const [left, right] = argumentsOf(logic, "==");
      if (isSame(left, fact) && isText(right)) return [right];
      const [seen, texts] = argumentsOf(logic, "in");
      return isSame(seen, fact) && Array.isArray(texts) && texts.every(isText) ? texts : null;
    },
  };
}

/** Either so or not; there is nothing to fill in. A bare fact means the same. */
function exactly(wanted: Logic): Pick<Form, "write" | "read"> {
  const [bare] = argumentsOf(wanted, "!!");
  return {
    write: () => wanted,
    read: (logic) => (isSame(logic, wanted) || (bare && isSame(logic, bare)) ? [] : null),
  };
}

function readFolders(logic: Logic): string[] | null {
  const tests = argumentsOf(logic, "or");
  const folders = tests
    .map((test) => argumentsOf(test, "=="))
    .filter(([fact, folder]) => isSame(fact, FOLDER) && isText(folder))
    .map(([, folder]) => folder as string);
  return isSame(logic, KINDS.folder.write(folders)) ? folders : null;
}

/** From one hour up to, not including, another; past midnight if the second is the smaller. */
function writeHours([from, to]: string[]): Logic {
  const [first, end] = [Number(from), Number(to)];
  return first > end
    ? { or: [{ ">=": [HOUR, first] }, { "<": [HOUR, end] }] }
    : { "<=": [first, HOUR, end - 1] };
}

function readHours(logic: Logic): string[] | null {
  const [first, fact, last] = argumentsOf(logic, "<=");
  if (isSame(fact, HOUR) && isHour(first) && isHour(last))
    return [String(first), String(Number(last) + 1)];
  const [since, until] = argumentsOf(logic, "or");
  const [begin, end] = [argumentsOf(since, ">=")[1], argumentsOf(until, "<")[1]];
  const read = [String(begin), String(end)];
  return isHour(begin) && isHour(end) && isSame(logic, writeHours(read)) ? read : null;
}
