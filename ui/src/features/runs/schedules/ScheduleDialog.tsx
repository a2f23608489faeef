import {
  Autocomplete,
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Textarea,
  TextInput,
} from "@mantine/core";

import { api, http } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useFormDialog } from "@/components/useFormDialog";
import { useAgentChoices } from "@/features/runs/tasks/useAgentChoices";

import { NextTimes } from "./NextTimes";
import { type Schedule, SCHEDULE, SCHEDULES, SUGGESTIONS } from "./words";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The schedule to change; without one, another is made. */
  schedule?: Schedule;
}

const formValues = (schedule: Schedule | undefined, workspaceId: string) => ({
  workspaceId: schedule?.workspaceId ?? workspaceId,
  agentId: schedule?.agentId ?? "",
  name: schedule?.name ?? "",
  words: schedule?.words ?? "",
  timing: schedule?.timing ?? "every weekday at 8",
  timeZone: schedule?.timeZone ?? "",
});

const checks = {
  agentId: (id: string) => (id ? null : "Choose an agent"),
  name: needed("A name"),
  words: needed("A text"),
  timing: needed("A time"),
};

const ZONES = Intl.supportedValuesOf("timeZone");

/** Makes a schedule, or changes one; shows when it would be due while one types. */
export function ScheduleDialog({ opened, onClose, schedule }: Props) {
  const workspaces = (api.useQuery("get", "/api/v1/workspaces").data?.items ?? []).filter(
    ({ role }) => role !== "read",
  );
  const ready = opened && workspaces.length > 0;
  const { form, dialog } = useFormDialog({
    opened: ready,
    onClose,
    initialValues: formValues(schedule, workspaces[0]?.id ?? ""),
    validate: checks,
    affects: ["schedule"],
    send: ({ workspaceId, timeZone, ...rest }) => {
      const values = { ...rest, timeZone: timeZone.trim() || null };
      return schedule
        ? http.PATCH(SCHEDULE, { params: { path: { schedule_id: schedule.id } }, body: values })
        : http.POST(SCHEDULES, { body: { ...values, workspaceId, enabled: true } });
    },
    onSaved: () => notify.done(schedule ? "The schedule is changed." : "The schedule is made."),
  });
  const { workspaceId, timing, timeZone } = form.values;
  const agents = useAgentChoices(workspaceId, schedule?.agentId);
  return (
    <FormDialog
      title={schedule ? "Change a schedule" : "New schedule"}
      verb={schedule ? "Save" : "Make the schedule"}
      size="lg"
      {...dialog}
    >
      <TextInput
        label="Name"
        placeholder="Morning mail"
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      {!schedule && workspaces.length > 1 && (
        <NativeSelect
          label="Workspace"
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("workspaceId")}
          onChange={(event) =>
            form.setValues({ workspaceId: event.currentTarget.value, agentId: "" })
          }
        />
      )}
      <NativeSelect
        label="Agent"
        description="It sets to work in your name each time"
        data={[{ value: "", label: "Choose an agent" }, ...agents]}
        {...form.getInputProps("agentId")}
      />
      <Textarea
        label="What it shall do"
        placeholder="Sum up the mail that came since yesterday."
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        {...form.getInputProps("words")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="When"
          description="Words, or a cron line"
          maxLength={200}
          {...form.getInputProps("timing")}
        />
        <Autocomplete
          label="Time zone"
          description="Left empty: the office's"
          placeholder="Europe/Vienna"
          data={ZONES}
          limit={30}
          maxLength={64}
          {...form.getInputProps("timeZone")}
        />
      </SimpleGrid>
      <Group gap={6}>
        {SUGGESTIONS.map((words) => (
          <Button
            key={words}
            size="compact-xs"
            variant="default"
            fw={400}
            onClick={() => form.setFieldValue("timing", words)}
          >
            {words}
          </Button>
        ))}
      </Group>
      <NextTimes timing={timing} timeZone={timeZone.trim() || null} />
    </FormDialog>
  );
}
