import { Checkbox, Text } from "@mantine/core";

import { api } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Makes a backup, with or without the vault's key. */
export function BackupDialog({ opened, onClose }: Props) {
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm({ initialValues: { withKeys: false } }, opened);
  const make = api.useMutation("post", "/api/v1/backups", {
    meta: { inForm: true },
    onSuccess: async ({ path }) => {
      onClose();
      notify.done(`Backed up to ${path}`);
      await refresh("backup");
    },
    onError: (error) => fail(error),
  });
  return (
    <FormDialog
      title="Make a backup"
      verb="Back up now"
      opened={opened}
      onClose={onClose}
      pending={make.isPending}
      problem={problem}
      onSubmit={form.onSubmit((body) => make.mutate({ body }))}
    >
      <Text size="sm">
        The office keeps running meanwhile. The oldest backups are removed by and by.
      </Text>
      <Checkbox
        label="Put the sealing key into it"
        description="Then the backup is enough to bring everything back, credentials too, and whoever has it can read them. Without it, keep a copy of the key elsewhere. When the database is encrypted, the key is always in it, encrypted."
        {...form.getInputProps("withKeys", { type: "checkbox" })}
      />
    </FormDialog>
  );
}
