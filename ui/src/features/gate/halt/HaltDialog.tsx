import { Text, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

/** Stops everything, at once; a reason helps whoever comes to look. */
export function HaltDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { reason: "" },
    affects: ["halt"],
    send: ({ reason }) => http.POST("/api/v1/halt", { body: { reason: reason.trim() } }),
  });
  return (
    <FormDialog title="Stop everything?" verb="Stop everything" {...dialog}>
      <Text size="sm">
        Every agent and program is refused from now on, and what is under way is stopped, until an
        admin releases it. Nothing is lost: what waits keeps waiting.
      </Text>
      <TextInput
        label="Reason"
        description="Not needed; everyone sees it"
        maxLength={500}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("reason")}
      />
    </FormDialog>
  );
}
