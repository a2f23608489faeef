import type { Schemas } from "@/api/client";
import { type Block, plain } from "@/features/agents/prompts/content";

import { type Flag, FLAGS } from "./words";

export type Agent = Schemas["AgentOut"];
export type Preset = Schemas["PresetOut"];
type Config = Schemas["AgentConfig"];
/** Empty text is no bound. */
export type Bound = number | string;

/** An agent as the form holds it. Whether it is switched on is no part of it: that takes effect at once. */
export interface AgentValues {
  workspaceId: string;
  name: string;
  description: string;
  kind: NonNullable<Config["kind"]>;
  /** Empty: the default. */
  modelId: string;
  /** Empty: written here. */
  promptId: string;
  prompt: Block[];
  imprint: Block[];
  flags: Flag[];
  notebooks: string[];
  folders: string[];
  fileTypes: string[];
  accounts: string[];
  tools: string[];
  askWrites: boolean;
  askTools: string[];
  colleagues: string[];
  /** Of a director: whose mail reaches it. */
  mailAccounts: string[];
  memoryAccess: string[];
  maxRequestsPerHour: Bound;
  maxTokensPerRequest: Bound;
  tokensPerDay: Bound;
  moneyPerDay: Bound;
  tokensPerRun: Bound;
  moneyPerRun: Bound;
  stepLimit: Bound;
  timeoutSeconds: Bound;
  shared: boolean;
}

export type Part = "prompt" | "imprint";

const BLANK: Config = { name: "", prompt: [{ role: "system", content: "" }] };

const blocks = (part: Part, messages: Schemas["PromptBlock"][] = []): Block[] =>
  messages.map(({ role, content }, place) => ({ key: `${part}-${place}`, role, content }));

const bound = (value: number | null | undefined): Bound => value ?? "";

/** The form for an agent, a preset, or nothing yet. What the server would take for left out stands in it. */
export function formValues(
  config: Config & { shared?: boolean },
  workspaceId: string,
): AgentValues {
  const { scope = {} } = config;
  const { maxRequestsPerHour = 100, maxTokensPerRequest = 4000 } = config;
  return {
    workspaceId,
    name: config.name,
    description: config.description ?? "",
    kind: config.kind ?? "assistant",
    modelId: config.modelId ?? "",
    promptId: config.promptId ?? "",
    prompt: blocks("prompt", config.prompt),
    imprint: blocks("imprint", config.imprint),
    flags: FLAGS.filter(({ value }) => config[value] ?? value === "canRead").map((f) => f.value),
    notebooks: scope.notebooks ?? [],
    folders: scope.folders ?? ["**"],
    fileTypes: scope.fileTypes ?? ["*"],
    accounts: scope.accounts ?? [],
    tools: scope.tools ?? ["*"],
    askWrites: config.askWrites ?? false,
    askTools: config.askTools ?? [],
    colleagues: config.colleagues ?? [],
    mailAccounts: config.accounts ?? [],
    memoryAccess: config.memoryAccess ?? [],
    maxRequestsPerHour: bound(maxRequestsPerHour),
    maxTokensPerRequest: bound(maxTokensPerRequest),
    tokensPerDay: bound(config.tokensPerDay),
    moneyPerDay: bound(config.moneyPerDay),
    tokensPerRun: bound(config.tokensPerRun),
    moneyPerRun: bound(config.moneyPerRun),
    stepLimit: config.stepLimit ?? 20,
    timeoutSeconds: config.timeoutSeconds ?? 600,
    shared: config.shared ?? false,
  };
}

export const newValues = (workspaceId: string, preset?: Preset) =>
  formValues(preset?.config ?? BLANK, workspaceId);

const orNull = (value: Bound) => (value === "" ? null : Number(value));

// What has no words says nothing.
const said = (messages: Block[]) => plain(messages).filter(({ content }) => content.trim());

/** What both making and changing send. */
export function asBody(values: AgentValues) {
  const { notebooks, folders, fileTypes, accounts, tools } = values;
  const flags = Object.fromEntries(
    FLAGS.map(({ value }) => [value, values.flags.includes(value)]),
  ) as Record<Flag, boolean>;
  return {
    ...flags,
    name: values.name.trim(),
    description: values.description.trim(),
    kind: values.kind,
    modelId: values.modelId || null,
    promptId: values.promptId || null,
    prompt: said(values.prompt),
    imprint: said(values.imprint),
    scope: { notebooks, folders, fileTypes, accounts, tools },
    askWrites: values.askWrites,
    askTools: values.askTools,
    colleagues: values.colleagues,
    accounts: values.mailAccounts,
    memoryAccess: values.memoryAccess,
    maxRequestsPerHour: orNull(values.maxRequestsPerHour),
    maxTokensPerRequest: orNull(values.maxTokensPerRequest),
    tokensPerDay: orNull(values.tokensPerDay),
    moneyPerDay: orNull(values.moneyPerDay),
    tokensPerRun: orNull(values.tokensPerRun),
    moneyPerRun: orNull(values.moneyPerRun),
    stepLimit: Number(values.stepLimit),
    timeoutSeconds: Number(values.timeoutSeconds),
    shared: values.shared,
  };
}

/** Also a message that is still empty is something that was typed. */
const typed = (values: AgentValues) =>
  JSON.stringify({ ...values, prompt: plain(values.prompt), imprint: plain(values.imprint) });

export const isSame = (one: AgentValues, other: AgentValues) => typed(one) === typed(other);
