import { NativeSelect, SimpleGrid, TagsInput, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

import { ConditionEditor } from "./condition/ConditionEditor";
import {
  ACTIONS,
  asBody,
  checks,
  formValues,
  newPriority,
  type Rule,
  type RuleValues,
} from "./ruleForm";
import type { Bounds } from "./useBounds";
import { useTools } from "./useTools";

interface Props {
  opened: boolean;
  onClose: () => void;
  rules: Rule[];
  bounds: Bounds;
  /** The rule to change; without one, a new one is made. */
  rule?: Rule;
}

/** Makes or changes a rule. */
export function RuleDialog({ opened, onClose, rules, bounds, rule }: Props) {
  const { isAdmin, governed } = bounds;
  const refresh = useRefresh();
  const tools = useTools();
  const { form, problem, fail } = useProblemForm<RuleValues>(
    {
      initialValues: formValues(rule, isAdmin ? "" : (governed[0]?.id ?? "")),
      validate: checks,
    },
    opened,
  );
  const options = {
    meta: { inForm: true },
    onError: (error: unknown) => fail(error),
    onSuccess: async () => {
      onClose();
      await refresh("rule");
    },
  };
  const create = api.useMutation("post", "/api/v1/rules", options);
  const change = api.useMutation("patch", "/api/v1/rules/{rule_id}", options);
  const save = (values: RuleValues) => {
    const body = asBody(values);
    if (rule) change.mutate({ params: { path: { rule_id: rule.id } }, body });
    else create.mutate({ body: { ...body, priority: newPriority(rules, isAdmin) } });
  };
  const places = governed.map(({ id, name }) => ({ value: id, label: name }));
  const connectors = [...new Set(tools.map(({ connector }) => connector))];
  return (
    <FormDialog
      title={rule ? `Edit “${rule.name}”` : "New rule"}
      verb={rule ? "Save" : "Make the rule"}
      size="xl"
      opened={opened}
      onClose={onClose}
      pending={create.isPending || change.isPending}
      problem={problem}
      onSubmit={form.onSubmit(save)}
    >
      <TextInput
        label="Name"
        placeholder="Ask before a contract is changed"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Why it is there"
        description="For whoever reads it later"
        {...form.getInputProps("description")}
      />
      <ConditionEditor tools={tools.map(({ name }) => name)} {...form.getInputProps("condition")} />
      <NativeSelect label="What happens then" data={ACTIONS} {...form.getInputProps("action")} />
      {form.values.action === "REDACT" && (
        <TagsInput
          label="Fields that are taken out"
          description="Of arguments and results, such as args.body or *.password"
          placeholder="args.body"
          {...form.getInputProps("fields")}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label="Where it holds"
          data={isAdmin ? [{ value: "", label: "Everywhere" }, ...places] : places}
          {...form.getInputProps("workspaceId")}
        />
        <NativeSelect
          label="For tools of"
          data={[{ value: "", label: "All connectors" }, ...connectors]}
          {...form.getInputProps("connector")}
        />
      </SimpleGrid>
    </FormDialog>
  );
}
