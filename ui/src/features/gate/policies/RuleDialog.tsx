import { NativeSelect, SimpleGrid, TagsInput, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

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
  const tools = useTools();
  const { form, dialog } = useFormDialog<RuleValues, Rule>({
    opened,
    onClose,
    initialValues: formValues(rule, isAdmin ? "" : (governed[0]?.id ?? "")),
    validate: checks,
    affects: ["rule"],
    send: (values) => {
      const body = asBody(values);
      return rule
        ? http.PATCH("/api/v1/rules/{rule_id}", { params: { path: { rule_id: rule.id } }, body })
        : http.POST("/api/v1/rules", { body: { ...body, priority: newPriority(rules, isAdmin) } });
    },
  });
  const places = governed.map(({ id, name }) => ({ value: id, label: name }));
  const connectors = [...new Set(tools.map(({ connector }) => connector))];
  return (
    <FormDialog
      title={rule ? `Edit “${rule.name}”` : "New rule"}
      verb={rule ? "Save" : "Make the rule"}
      size="xl"
      {...dialog}
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
