import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useEffectEvent, useState } from "react";

import { detailOf, fieldErrorsOf } from "./problem";

type Values = Record<string, unknown>;

/**
 * A form that shows the server's messages at the fields they are about, and the rest above. In a dialog it starts from
 * what is true each time the dialog opens.
 */
export function useProblemForm<T extends Values>(input: UseFormInput<T>, opened?: boolean) {
  const form = useForm<T>(input);
  const [problem, setProblem] = useState<string | null>(null);
  const restart = () => {
    if (input.initialValues) form.setInitialValues(input.initialValues);
    form.reset();
    setProblem(null);
  };
  useOnOpening(opened, restart);
  return { form, problem, restart, fail: (error: unknown) => setProblem(placed(form, error)) };
}

/** Does something each time a dialog opens. */
export function useOnOpening(opened: boolean | undefined, begin: () => void) {
  const onOpening = useEffectEvent(begin);
  useEffect(() => {
    if (opened) onOpening();
  }, [opened]);
}

function placed<T extends Values>(form: UseFormReturnType<T>, error: unknown): string | null {
  const fields = form.getValues();
  const found = Object.entries(fieldErrorsOf(error)).map(
    ([path, message]) => [path.split(".")[0] ?? path, message] as const,
  );
  const fitting = found.filter(([field]) => field in fields);
  form.setErrors(Object.fromEntries(fitting));
  return fitting.length > 0 && fitting.length === found.length ? null : detailOf(error);
}

export const needed = (what: string) => (value: string) =>
  value.trim() ? null : `${what} is needed`;

export const anEmail = (value: string) =>
  /^\S+@\S+$/.test(value.trim()) ? null : "An e-mail address is needed, such as ada@example.com";

export const newPassword = (value: string) =>
  value.length >= 10 ? null : "At least 10 characters; a few unrelated words are good";
