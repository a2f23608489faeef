import { NativeSelect, Select, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { fieldErrorsOf } from "@/api/problem";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { asText, asTiming, CHOICES, hasTime } from "./timing";

interface Props {
  opened: boolean;
  onClose: () => void;
  text: string;
}

/** Says when backups are made. */
export function ScheduleDialog({ opened, onClose, text }: Props) {
  const refresh = useRefresh();
  const settings = api.useQuery("get", "/api/v1/settings", {}, { enabled: opened });
  const zone = settings.data?.items.find(({ name }) => name === "time_zone")?.value;
  const { form, problem, fail } = useProblemForm(
    { initialValues: { ...asTiming(text), zone: null as string | null } },
    opened,
  );
  const save = api.useMutation("patch", "/api/v1/settings", {
    meta: { inForm: true },
    onSuccess: async () => {
      onClose();
      await refresh("settings");
      notify.done("The schedule is saved.");
    },
    onError: (error) => {
      fail(error);
      const { backup_schedule: schedule, time_zone: bad } = fieldErrorsOf(error);
      form.setErrors({ [form.values.often === "words" ? "words" : "time"]: schedule, zone: bad });
    },
  });
  const { often, zone: chosen } = form.values;
  const submit = form.onSubmit((timing) =>
    save.mutate({
      body: {
        backup_schedule: asText(timing),
        ...(timing.zone !== null && { time_zone: timing.zone }),
      },
    }),
  );
  return (
    <FormDialog
      title="Backup schedule"
      verb="Save"
      opened={opened}
      onClose={onClose}
      pending={save.isPending}
      problem={problem}
      onSubmit={submit}
    >
      <NativeSelect
        label="How often"
        data={CHOICES}
        data-autofocus
        {...form.getInputProps("often")}
      />
      {hasTime(often) && <TextInput label="At" type="time" {...form.getInputProps("time")} />}
      {often === "words" && (
        <TextInput
          label="In words, or as a cron line"
          description="Such as “every Sunday at 22:30”, “every weekday at 8” or “0 3 * * 1-5”"
          {...form.getInputProps("words")}
        />
      )}
      {often !== "" && (
        <Select
          label="Time zone"
          description="It is the zone of all schedules of this office."
          searchable
          data={[{ value: "", label: "The server's own" }, ...Intl.supportedValuesOf("timeZone")]}
          value={chosen ?? (typeof zone === "string" ? zone : "")}
          onChange={(value) => form.setFieldValue("zone", value ?? "")}
          error={form.errors.zone}
        />
      )}
    </FormDialog>
  );
}
