import type { UseFormInput } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";

import { useProblemForm } from "@/api/forms";
import type { Noun } from "@/live/affected";
import { useRefresh } from "@/live/useRefresh";

/** What the client answers. */
interface Answer<Out> {
  data?: Out;
  error?: unknown;
}

interface Options<T extends Record<string, unknown>, Out> {
  opened: boolean;
  onClose: () => void;
  initialValues: T;
  validate?: UseFormInput<T>["validate"];
  /** Makes the thing or changes it. */
  send: (values: T) => Promise<Answer<Out>>;
  /** What it is: all that shows such things is read again. */
  affects: Noun[];
  onSaved?: (saved: Out) => void;
}

/**
 * A dialog that makes a thing or changes it: the form, and what `FormDialog` needs. It begins anew each time it opens,
 * shows the server's messages at their fields, and closes once the thing is saved.
 */
export function useFormDialog<T extends Record<string, unknown>, Out>(options: Options<T, Out>) {
  const { opened, onClose, initialValues, validate, send, affects, onSaved } = options;
  const refresh = useRefresh();
  const { form, problem, fail, restart } = useProblemForm<T>({ initialValues, validate }, opened);
  const { mutate, isPending } = useMutation({
    meta: { inForm: true },
    mutationFn: async (values: T) => {
      const { data, error } = await send(values);
      if (error) throw error;
      return data as Out;
    },
    onError: fail,
    onSuccess: (saved) => {
      onClose();
      onSaved?.(saved);
    },
    // Also after a failure: a part of it may have been done, or the thing may be gone.
    onSettled: () => refresh(...affects),
  });
  const dialog = {
    opened,
    onClose,
    pending: isPending,
    problem,
    onSubmit: form.onSubmit((values) => mutate(values)),
  };
  return { form, dialog, restart };
}
