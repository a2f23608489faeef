import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { sessionReading } from "@/features/chat/transcript/useSession";

import type { AgentValues } from "../agents/values";
import { type Block, plain } from "../prompts/content";

type Said = Schemas["PromptBlock"][] | undefined;

/** What it is told as the form has it: words of its own, or those of the prompt that is chosen. */
function useTyped({ promptId, prompt, imprint }: AgentValues): { prompt: Said; imprint: Said } {
  const params = { path: { prompt_id: promptId } };
  const chosen = api.useQuery(
    "get",
    "/api/v1/prompts/{prompt_id}",
    { params },
    { enabled: promptId !== "" },
  );
  const said = (blocks: Block[]) => plain(blocks).filter(({ content }) => content.trim());
  const own = JSON.stringify({ prompt: said(prompt), imprint: said(imprint) });
  const [settled] = useDebouncedValue(own, 400);
  if (promptId) return { prompt: chosen.data?.messages, imprint: chosen.data?.imprint };
  return JSON.parse(settled) as { prompt: Said; imprint: Said };
}

/** A mail to try a director on, what its model would read of it, and a run without effects. */
export function useTrial(id: string, values: AgentValues) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [runId, setRunId] = useState<string | null>(null);
  const path = { agent_id: id };
  const mails = api.useQuery("get", "/api/v1/agents/{agent_id}/mails", {
    params: { path, query: { PageSize: 20 } },
  });
  const mailId = chosen ?? mails.data?.items[0]?.id ?? null;
  const { prompt, imprint } = useTyped(values);
  const preview = api.useQuery(
    "post",
    "/api/v1/agents/{agent_id}/preview",
    { params: { path }, body: { mailId: mailId ?? "", messages: prompt, imprint } },
    { enabled: mailId !== null, gcTime: 60_000, placeholderData: keepPreviousData },
  );
  const starting = api.useMutation("post", "/api/v1/agents/{agent_id}/trials", {
    onSuccess: (run) => setRunId(run.id),
    meta: { inForm: true },
  });
  const modelId = values.modelId || undefined;
  const session = useQuery({ ...sessionReading(runId ?? ""), enabled: runId !== null });
  return {
    mails,
    mailId,
    choose: (mail: string) => {
      setChosen(mail);
      setRunId(null);
    },
    preview,
    run: () => {
      if (mailId) starting.mutate({ params: { path }, body: { mailId, prompt, imprint, modelId } });
    },
    starting: starting.isPending,
    problem: starting.error ? detailOf(starting.error) : null,
    session: runId ? session : null,
  };
}
