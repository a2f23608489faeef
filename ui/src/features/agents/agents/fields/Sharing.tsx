import { Switch } from "@mantine/core";

import { api } from "@/api/client";

import type { Form } from "./form";

/** Who may use it. */
export function Sharing({ form: { values, faults, set } }: { form: Form }) {
  const workspaces = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  const workspace = workspaces.find(({ id }) => id === values.workspaceId);
  const mayShare = workspace?.role === "admin";
  return (
    <Switch
      label={`Everyone in ${workspace?.name ?? "the workspace"} may use it`}
      description={
        mayShare
          ? "Whoever uses it has no more rights than they have themselves. They cannot change it"
          : "Only an admin of the workspace shares an agent"
      }
      checked={values.shared}
      disabled={!mayShare}
      error={faults.fields.shared}
      onChange={(event) => set({ shared: event.currentTarget.checked })}
    />
  );
}
