import { NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { TextLink } from "@/components/TextLink";
import { Unfold } from "@/components/Unfold";
import { Blocks } from "@/features/agents/prompts/Blocks";

import type { Form } from "./form";

/** What it is told before it begins: words of its own, or a prompt that others use too. */
export function Told({ form }: { form: Form }) {
  const { values, faults, set, setBlocks } = form;
  const [isSaved, setIsSaved] = useState(values.promptId !== "");
  const variables =
    api.useQuery("get", "/api/v1/prompts/variables", {}, { staleTime: Infinity }).data?.items ?? [];
  const choose = (source: string) => {
    setIsSaved(source === "saved");
    if (source === "here") set({ promptId: "" });
  };
  const examples = values.imprint.length;
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Where its words are"
        data={[
          { value: "here", label: "Written here" },
          { value: "saved", label: "A saved prompt" },
        ]}
        value={isSaved || values.promptId ? "saved" : "here"}
        onChange={choose}
        style={{ alignSelf: "flex-start" }}
      />
      {isSaved || values.promptId ? (
        <SavedPrompt form={form} />
      ) : (
        <div>
          <Blocks
            noun="Message"
            blocks={values.prompt}
            faults={faults.prompt}
            readOnly={false}
            variables={variables}
            onChange={setBlocks("prompt")}
          />
        </div>
      )}
      <Unfold
        look="fields"
        label={`Example conversation: ${examples > 0 ? `${examples} messages` : "none"}`}
        isFaulty={Object.keys(faults.imprint).length > 0}
      >
        <Text size="sm" c="dimmed">
          An imprint: it shows how it is done, and follows what it is told.
        </Text>
        <div>
          <Blocks
            noun="Example"
            blocks={values.imprint}
            faults={faults.imprint}
            readOnly={false}
            variables={variables}
            onChange={setBlocks("imprint")}
          />
        </div>
      </Unfold>
    </Stack>
  );
}

function SavedPrompt({ form: { values, faults, set } }: { form: Form }) {
  const { promptId, workspaceId } = values;
  const prompts = api.useQuery("get", "/api/v1/prompts").data?.items ?? [];
  const here = prompts.filter((prompt) => prompt.workspaceId === workspaceId);
  return (
    <div>
      <NativeSelect
        label="Prompt"
        description="Whoever changes the prompt changes what this agent is told"
        value={promptId}
        error={faults.fields.promptId}
        data={[
          { value: "", label: here.length > 0 ? "Choose one" : "No prompt in this workspace yet" },
          ...here.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => set({ promptId: event.currentTarget.value })}
      />
      <Text size="sm" mt={6}>
        {promptId ? (
          <TextLink to="/prompts/$promptId" params={{ promptId }}>
            Open this prompt
          </TextLink>
        ) : (
          <TextLink to="/prompts/new">Write a new prompt</TextLink>
        )}
      </Text>
    </div>
  );
}
