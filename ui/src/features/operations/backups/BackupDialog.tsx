import { Checkbox, Text } from "@mantine/core";

import { http } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useFormDialog } from "@/components/useFormDialog";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Makes a backup, with or without the vault's key. */
export function BackupDialog({ opened, onClose }: Props) {
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { withKeys: false },
    affects: ["backup"],
    send: (body) => http.POST("/api/v1/backups", { body }),
    onSaved: ({ path }) => notify.done(`Backed up to ${path}`),
  });
  return (
    <FormDialog title="Make a backup" verb="Back up now" {...dialog}>
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
