import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { leaveRow } from "../leaveRow";

export type Contact = Schemas["ContactOut"];

export const CONTACTS = "/api/v1/workspaces/{workspace_id}/contacts";
const CONTACT = "/api/v1/workspaces/{workspace_id}/contacts/{contact_id}";

/** What is done with the contacts of a workspace in one go. */
export function useContacts(workspaceId: string) {
  const refresh = useRefresh();
  const onSuccess = () => refresh("contact");
  const path = { workspace_id: workspaceId };
  const add = api.useMutation("post", CONTACTS, { onSuccess });
  const drop = api.useMutation("delete", CONTACT, {
    onSuccess: () => {
      leaveRow();
      return onSuccess();
    },
  });
  const read = api.useMutation("post", "/api/v1/workspaces/{workspace_id}/contacts/import", {
    onSuccess: async ({ added, changed, unchanged }) => {
      notify.done(`${added} added, ${changed} changed, ${unchanged} were there already.`);
      await onSuccess();
    },
  });

  const remove = ({ id, name, address }: Contact) =>
    notify.undoable(
      drop.mutateAsync({ params: { path: { ...path, contact_id: id } } }),
      `${name || address} is removed. What they write is a stranger's from now on.`,
      () => add.mutateAsync({ params: { path }, body: { address, name } }),
    );
  const importFile = async (file: File | null) => {
    if (!file) return;
    const body = await file.text();
    read.mutate({
      params: { path },
      body,
      bodySerializer: (text) => text,
      headers: { "Content-Type": "text/vcard" },
    });
  };
  return { remove, importFile, isImporting: read.isPending };
}
