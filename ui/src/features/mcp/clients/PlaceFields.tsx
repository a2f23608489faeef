import { TagsInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { api } from "@/api/client";
import { Unfold } from "@/components/Unfold";

import type { ClientValues } from "./clientForm";
import { placesInWords } from "./words";

/** Which folders, files and tools it reaches. */
export function PlaceFields({ form }: { form: UseFormReturnType<ClientValues> }) {
  const { workspaceId, notebooks, folders, fileTypes, tools } = form.values;
  const within = { params: { path: { workspace_id: workspaceId } } };
  const enabled = { enabled: workspaceId !== "" };
  const open = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/notebooks", within, enabled);
  const known = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/tools", within, enabled);
  const reach = placesInWords({ notebooks, folders, fileTypes, tools });
  return (
    <Unfold look="fields" label={`Where: ${reach}`}>
      <TagsInput
        label="Folders that are open to agents"
        description="By name, as under Settings, Folders; * for all of them, also those to come"
        data={["*", ...(open.data?.items ?? []).map(({ name }) => name)]}
        {...form.getInputProps("notebooks")}
      />
      <TagsInput
        label="Folders within them"
        description="Such as Papers/**, which is Papers and all in it; ** for all"
        data={["**"]}
        {...form.getInputProps("folders")}
      />
      <TagsInput
        label="Kinds of files"
        description="Such as .txt; * for all"
        data={["*", ".txt", ".md", ".pdf"]}
        {...form.getInputProps("fileTypes")}
      />
      <TagsInput
        label="Tools"
        description="By name, or with a star, such as list_*"
        data={["*", ...(known.data?.items ?? []).map(({ name }) => name)]}
        {...form.getInputProps("tools")}
      />
      <TagsInput
        label="Tools that always ask a person"
        data={(known.data?.items ?? []).map(({ name }) => name)}
        {...form.getInputProps("askTools")}
      />
    </Unfold>
  );
}
