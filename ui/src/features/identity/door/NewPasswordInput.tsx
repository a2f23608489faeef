import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A password to choose; the eye shows it, so it is asked for once. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="Password"
      description="10 characters or more. A few unrelated words are good."
      autoComplete="new-password"
      {...props}
    />
  );
}
