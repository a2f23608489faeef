import { useMemo } from "react";

import { api, type Schemas } from "@/api/client";
import type { Block } from "@/features/agents/prompts/content";

/** What an agent is told, its example conversation included, to begin a change from. */
export function useAgentPrompt(agentId: string, enabled: boolean) {
  const agent = api.useQuery(
    "get",
    "/api/v1/agents/{agent_id}",
    { params: { path: { agent_id: agentId } } },
    { enabled },
  );
  const promptId = agent.data?.promptId;
  const saved = api.useQuery(
    "get",
    "/api/v1/prompts/{prompt_id}",
    { params: { path: { prompt_id: promptId ?? "" } } },
    { enabled: enabled && Boolean(promptId) },
  );
  const blocks = useMemo(() => {
    if (!agent.data) return undefined;
    if (!promptId) return asBlocks([...(agent.data.prompt ?? []), ...(agent.data.imprint ?? [])]);
    return saved.data && asBlocks([...saved.data.messages, ...saved.data.imprint]);
  }, [agent.data, promptId, saved.data]);
  return { blocks, error: agent.error ?? saved.error };
}

const asBlocks = (messages: Schemas["PromptBlock"][]): Block[] =>
  messages.map(({ role, content }, place) => ({ key: `agent-${place}`, role, content }));
