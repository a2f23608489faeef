import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

export type TraceNode = Schemas["TraceNodeOut"];
export type TraceLine = Schemas["TraceLineOut"];

const ACTIONS: Record<string, string> = {
  director_start: "The director begins",
  director_output: "The director says",
  director_complete: "The director ends",
  agent_start: "The agent begins",
  agent_output: "The agent answers",
  agent_complete: "The agent ends",
  model_request: "To the model",
  model_response: "From the model",
  model_error: "The model failed",
  workspace_result: "What came of it",
};

/** What a line is about, in a few words. */
export const lineInWords = ({ detail }: TraceLine) =>
  detail.tool ?? ACTIONS[detail.action] ?? detail.action;

const STATES: Record<string, [State, string]> = {
  pending: ["waiting", "queued"],
  running: ["retrying", "at work"],
  waiting: ["waiting", "waiting"],
  completed: ["ok", "done"],
  failed: ["failed", "failed"],
  cancelled: ["off", "stopped"],
  expired: ["failed", "took too long"],
};

/** How a run stands: a shape and a word. */
export const stateInWords = (state: string): [State, string] => STATES[state] ?? ["off", state];

/** The states of a cycle's runs: "3 done, 1 failed". */
export const statesInWords = (states: Record<string, number>) =>
  Object.entries(states)
    .map(([state, count]) => `${count} ${stateInWords(state)[1]}`)
    .join(", ");

/** What a node is called. */
export function nameOf(node: TraceNode): string {
  if (node.line) return lineInWords(node.line);
  if (node.kind === "cycle") return node.fetchCycleId ? `Fetch ${node.id}` : "Mail without a fetch";
  return (node.kind === "agent" ? node.agentName : node.directorName) ?? "";
}

/**
 * The lines of one thread in the order of time; where an agent was asked first, its session stands right after the
 * call: `detail.sessionId` is its `agentThreadId`.
 */
export function threaded(lines: TraceLine[], thread: string): (TraceLine | { session: string })[] {
  const placed = new Set<string>();
  return lines
    .filter((line) => (line.agentThreadId || line.dirThreadId) === thread)
    .flatMap((line) => {
      const session = line.detail.sessionId;
      if (!session || placed.has(session)) return [line];
      placed.add(session);
      return [line, { session }];
    });
}
