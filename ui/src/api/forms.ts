import type { UseFormReturnType } from "@mantine/form";

import { detailOf, fieldErrorsOf } from "./problem";

/**
 * Puts the server's messages at the fields they are about.
 * Returns what is left to say above the form, or null when the fields say it all.
 */
export function showProblem<T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  error: unknown,
  names: Record<string, keyof T & string> = {},
): string | null {
  const known = form.getValues();
  const found = fieldErrorsOf(error);
  const placed: Record<string, string> = {};
  let elsewhere = Object.keys(found).length === 0;
  for (const [path, message] of Object.entries(found)) {
    const field = names[path] ?? path.split(".")[0] ?? path;
    if (field in known) placed[field] = message;
    else elsewhere = true;
  }
  form.setErrors(placed);
  return elsewhere ? detailOf(error) : null;
}

export const needed = (what: string) => (value: string) =>
  value.trim() ? null : `${what} is needed`;

export const anEmail = (value: string) =>
  /^\S+@\S+$/.test(value.trim()) ? null : "An e-mail address is needed, such as ada@example.com";

export const newPassword = (value: string) =>
  value.length >= 10 ? null : "At least 10 characters; a few unrelated words are good";
