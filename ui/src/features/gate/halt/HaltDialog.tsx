import { Text, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useRefresh } from "@/live/useRefresh";

/** Stops everything, at once; a reason helps whoever comes to look. */
export function HaltDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const refresh = useRefresh();
  const { form, problem, fail } = useProblemForm({ initialValues: { reason: "" } }, opened);
  const stop = api.useMutation("post", "/api/v1/halt", {
    meta: { inForm: true },
    onSuccess: async () => {
      onClose();
      await refresh("halt");
    },
    onError: fail,
  });
  return (
    <FormDialog
      title="Stop everything?"
      verb="Stop everything"
      opened={opened}
      onClose={onClose}
      pending={stop.isPending}
      problem={problem}
      onSubmit={form.onSubmit(({ reason }) => stop.mutate({ body: { reason: reason.trim() } }))}
    >
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
