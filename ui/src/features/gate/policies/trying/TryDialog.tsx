import {
  Autocomplete,
  NativeSelect,
  SimpleGrid,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";

import { api } from "@/api/client";
import { useOnOpening, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";

import { CALLER_CHOICES, EFFECT_CHOICES } from "../condition/kinds";
import type { Bounds } from "../useBounds";
import { useTools } from "../useTools";
import { asBody, checks, skeleton, VALUES } from "./tryForm";
import { VerdictView } from "./VerdictView";

interface Props {
  opened: boolean;
  onClose: () => void;
  bounds: Bounds;
}

/** Asks the rules about a call that nobody makes. */
export function TryDialog({ opened, onClose, bounds: { workspaces } }: Props) {
  const tools = useTools();
  const { form, problem, fail } = useProblemForm(
    { initialValues: VALUES, validate: checks },
    opened,
  );
  const ask = api.useMutation("post", "/api/v1/rules/try", {
    meta: { inForm: true },
    onError: (error) => fail(error),
  });
  useOnOpening(opened, ask.reset);
  const choose = (name: string) => {
    const tool = tools.find((one) => one.name === name);
    form.setFieldValue("tool", name);
    if (tool) form.setFieldValue("arguments", skeleton(tool));
  };
  return (
    <FormDialog
      title="Try a call"
      verb="Ask the rules"
      size="lg"
      opened={opened}
      onClose={onClose}
      pending={ask.isPending}
      problem={problem}
      onSubmit={form.onSubmit((values) => ask.mutate({ body: asBody(values) }))}
    >
      <Text size="sm" c="dimmed">
        Nothing is done. You see what the rules alone would say; what a caller may do at all, its
        limits, and the protection against strangers' words come on top and only make it stricter.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Autocomplete
          label="Tool"
          placeholder="write_file"
          data={tools.map(({ name }) => name)}
          data-autofocus
          openOnFocus={false}
          {...form.getInputProps("tool")}
          onChange={choose}
        />
        <NativeSelect
          label="What the tool does"
          data={[{ value: "", label: "What the tool says" }, ...EFFECT_CHOICES]}
          {...form.getInputProps("effect")}
        />
        <NativeSelect label="Who calls" data={CALLER_CHOICES} {...form.getInputProps("kind")} />
        <TextInput
          label="Caller's name"
          placeholder="Claude Code"
          {...form.getInputProps("name")}
        />
      </SimpleGrid>
      <Textarea
        label="Arguments"
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("arguments")}
      />
      <NativeSelect
        label="Workspace"
        data={[
          { value: "", label: "None in particular" },
          ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps("workspaceId")}
      />
      <Switch
        label="It has read strangers' words before"
        {...form.getInputProps("tainted", { type: "checkbox" })}
      />
      {ask.data && <VerdictView verdict={ask.data} />}
    </FormDialog>
  );
}
