import type { Schemas } from "@/api/client";

type Message = Pick<Schemas["RunMessageOut"], "sent">;

/** The arguments of a call as the model got them back; undefined: as they were. */
export function sentArguments({ sent }: Message, id: string): string | undefined {
  const call = sent?.toolCalls?.find((each) => each.id === id);
  const { arguments: text } = (call?.function ?? {}) as Record<string, unknown>;
  return typeof text === "string" ? text : undefined;
}
