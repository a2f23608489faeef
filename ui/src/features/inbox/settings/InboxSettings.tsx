import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
} from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import { type SettingsForm, patchOf, valuesOf } from "./form";

type Settings = Schemas["InboxSettingsOut"];

/** How an inbox is organised, and what its organiser may use for each paper. */
export function InboxSettings({ settings, manages }: { settings: Settings; manages: boolean }) {
  const { form, problem, fail } = useProblemForm<SettingsForm>({
    initialValues: valuesOf(settings),
  });
  const models = api.useQuery("get", "/api/v1/models").data?.items ?? [];
  const standard = models.find(({ isDefault }) => isDefault);
  const refresh = useRefresh();
  const saving = api.useMutation("patch", "/api/v1/inbox/settings", {
    meta: { inForm: true },
    onSettled: () => refresh("inbox", "agent"),
  });
  const save = (values: SettingsForm) =>
    saving.mutate(
      {
        params: { query: { workspaceId: settings.workspaceId } },
        body: patchOf(values, form.getInitialValues()),
      },
      {
        onSuccess: (saved) => {
          form.setInitialValues(valuesOf(saved));
          form.reset();
          notify.done("The settings of the inbox are saved.");
        },
        onError: fail,
      },
    );
  const onOff = { type: "checkbox" } as const;
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <fieldset disabled={!manages} style={{ all: "unset", display: "block" }}>
        <Stack gap="md" maw={620}>
          <ProblemAlert>{problem}</ProblemAlert>
          {!manages && (
            <Text size="sm" c="dimmed">
              An admin of the workspace can change these.
            </Text>
          )}
          <Switch
            label="The organiser is on"
            description="Off, nobody looks at papers, also when asked to"
            {...form.getInputProps("agentEnabled", onOff)}
          />
          <Switch
            label="Look at papers as they arrive"
            description="Off, it looks at them only when you say “Organise everything”"
            {...form.getInputProps("autoOrganize", onOff)}
          />
          <Switch
            label="It may suggest folders that do not exist yet"
            {...form.getInputProps("newFolders", onOff)}
          />
          <NumberInput
            label="How sure it has to be"
            description="Below this, a suggestion is marked “Not sure”"
            suffix=" %"
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps("minConfidence")}
          />
          <TagsInput
            label="Never touch"
            description="Names or paths like these are left alone, such as *.key or inbox/private/*; Enter adds one"
            maxTags={100}
            acceptValueOnBlur
            {...form.getInputProps("neverTouch")}
          />
          <NativeSelect
            label="Model"
            data={[
              { value: "", label: standard ? `The default: ${standard.name}` : "The default" },
              ...models.map(({ id, name, enabled }) => ({
                value: id,
                label: enabled ? name : `${name} (switched off)`,
                disabled: !enabled && id !== settings.modelId,
              })),
            ]}
            {...form.getInputProps("modelId")}
          />
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
            <NumberInput
              label="Turns for a paper"
              min={1}
              max={200}
              allowDecimal={false}
              {...form.getInputProps("maxTurns")}
            />
            <NumberInput
              label="Seconds for a paper"
              min={1}
              max={3600}
              allowDecimal={false}
              {...form.getInputProps("timeLimitSeconds")}
            />
            <NumberInput
              label="Tokens for an answer"
              placeholder="No limit"
              min={1}
              max={1_000_000}
              allowDecimal={false}
              {...form.getInputProps("maxTokens")}
            />
          </SimpleGrid>
          {manages && (
            <Group gap="xs">
              <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
                Save
              </Button>
              {form.isDirty() && (
                <Button variant="default" onClick={form.reset}>
                  Discard
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}
