import { useNavigate, useSearch } from "@tanstack/react-router";

/** A dialog whose name is in the address, so that a link or a command can open it. */
export function useDialog(name = "new") {
  const navigate = useNavigate();
  const { dialog } = useSearch({ strict: false });
  const show = (next: string | undefined) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, dialog: next }),
      replace: true,
      resetScroll: false,
    });
  const actions = { open: () => show(name), close: () => show(undefined) };
  return [dialog === name, actions] as const;
}
