import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";

import { count, money } from "../transcript/words";

const PAUSE = 400;

interface Props {
  agentId: string;
  text: string;
  /** Ids of what goes with it. */
  files: string[];
}

/** What the answer would cost, before anything is sent. */
export function Estimate({ agentId, text, files }: Props) {
  const [content] = useDebouncedValue(text, PAUSE);
  const { data } = api.useQuery(
    "post",
    "/api/v1/agents/{agent_id}/estimate",
    { params: { path: { agent_id: agentId } }, body: { content, files } },
    { enabled: content !== "", staleTime: 60_000, placeholderData: keepPreviousData },
  );
  if (!data || !text) return null;
  return (
    <Text size="sm" c="dimmed" title={basisOf(data)}>
      {inWords(data)}
    </Text>
  );
}

function inWords({ inputTokens, outputTokens, money: dollars, model }: Schemas["EstimateOut"]) {
  const cost = dollars === null ? "price not known" : money(dollars);
  return `About ${count(rounded(inputTokens + outputTokens), "token")} with ${model}: ${cost}`;
}

/** Two figures are as exact as a guess is. */
function rounded(figure: number): number {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, figure))) - 1);
  return Math.round(figure / size) * size;
}

function basisOf({ basis, runs, most }: Schemas["EstimateOut"]): string {
  const from =
    basis === "history" ? `By ${count(runs, "earlier session")} of this agent.` : "A rough guess.";
  return most === null ? from : `${from} At most ${money(most)}.`;
}
