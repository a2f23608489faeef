import { NativeSelect, Switch, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";

import { api } from "@/api/client";
import { useOnOpening } from "@/api/forms";
import { detailOf } from "@/api/problem";
import { FormDialog } from "@/components/FormDialog";
import { Blocks } from "@/features/agents/prompts/Blocks";
import { type Block, plain } from "@/features/agents/prompts/content";
import { useRefresh } from "@/live/useRefresh";

import type { Session } from "./timeline";
import { useAgentPrompt } from "./useAgentPrompt";

interface Props {
  session: Session;
  opened: boolean;
  onClose: () => void;
}

/** The same request again, without any effect, with another model or prompt; then both are shown side by side. */
export function ReplayDialog({ session, opened, onClose }: Props) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const models = api.useQuery("get", "/api/v1/models", {}, { enabled: opened });
  const [modelId, setModelId] = useState("");
  const [rewriting, setRewriting] = useState(false);
  const [written, setWritten] = useState<Block[] | null>(null);
  const prompt = useAgentPrompt(session.agentId, opened && rewriting);
  const blocks = written ?? prompt.blocks ?? [];
  const start = api.useMutation("post", "/api/v1/runs/{run_id}/replay", {
    meta: { inForm: true },
    onSuccess: async (made) => {
      onClose();
      await refresh("run");
      await navigate({
        to: "/runs/$runId/compare",
        params: { runId: session.id },
        search: { with: made.id },
      });
    },
  });
  useOnOpening(opened, () => {
    setModelId("");
    setRewriting(false);
    setWritten(null);
    start.reset();
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = {
      ...(modelId && { modelId }),
      ...(rewriting && prompt.blocks && { prompt: plain(blocks) }),
    };
    start.mutate({ params: { path: { run_id: session.id } }, body });
  };
  const choices = (models.data?.items ?? []).filter(({ enabled }) => enabled);
  const problem = start.error ?? (rewriting ? prompt.error : null);
  return (
    <FormDialog
      title="Replay this run"
      verb="Replay"
      size="lg"
      opened={opened}
      onClose={onClose}
      pending={start.isPending}
      problem={problem ? detailOf(problem) : null}
      onSubmit={submit}
    >
      <Text size="sm">
        The agent gets the same request again. Nothing is changed: a call that this run made gets
        the answer that it got then, and one that would change something is not done. Only the model
        is asked anew, and that costs.
      </Text>
      <NativeSelect
        label="Model"
        data={[
          { value: "", label: "As it was" },
          ...choices.map(({ id, name, label }) => ({
            value: id,
            label: label ? `${name} (${label})` : name,
          })),
        ]}
        value={modelId}
        onChange={(event) => setModelId(event.currentTarget.value)}
      />
      <Switch
        label="Change what it is told"
        description="For this replay alone: the agent's prompt stays as it is"
        checked={rewriting}
        onChange={(event) => setRewriting(event.currentTarget.checked)}
      />
      {rewriting && prompt.blocks && (
        <div>
          <Blocks
            noun="Message"
            blocks={blocks}
            faults={{}}
            readOnly={false}
            variables={[]}
            onChange={(change) => setWritten((now) => change(now ?? prompt.blocks ?? []))}
          />
        </div>
      )}
    </FormDialog>
  );
}
