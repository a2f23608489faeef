import { useNavigate, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";

import { type Account, type Folder, inOrder } from "./words";

export interface Sought {
  workspace?: string;
  account?: string;
  folder?: string;
  role?: "flagged" | "sent" | "archive" | "drafts" | "junk" | "trash" | "everything";
  unread?: boolean;
  q?: string;
  order?: "newest";
  mail?: string;
}

const none = {
  account: undefined,
  folder: undefined,
  role: undefined,
  unread: undefined,
  q: undefined,
  order: undefined,
  mail: undefined,
};

/** Leaves the list for another one. */
export const elsewhere = (to: Sought): Sought => ({ ...none, ...to });

/** Where in the mail one is: it is all in the address, so that it can be kept, sent and gone back to. */
export function usePlace() {
  const search = useSearch({ from: "/shell/mail" });
  const navigate = useNavigate();
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const accounts = api.useQuery("get", "/api/v1/accounts");
  const known = workspaces.data?.items ?? [];
  const withMail = new Set(accounts.data?.items.map((one) => one.workspaceId));
  const workspace =
    known.find(({ id }) => id === search.workspace) ??
    known.find(({ id }) => withMail.has(id)) ??
    known[0];
  const workspaceId = workspace?.id ?? "";
  const mayWrite = useMayWrite()(workspaceId);
  const here = accounts.data?.items.filter((one) => one.workspaceId === workspaceId);
  const usable = mayWrite ? (here ?? []).filter(({ right }) => right !== "read") : [];
  const go = (change: Sought & { dialog?: string }, how?: { replace?: boolean }) =>
    void navigate({
      to: "/mail",
      search: (before) => ({ ...before, ...change }),
      replace: how?.replace,
      resetScroll: false,
    });
  return {
    search,
    workspaceId,
    /** The workspaces to choose from. */
    workspaces: known.map(({ id, name }) => ({ value: id, label: name })),
    accounts: here,
    /** The accounts to write from: one's own, and those that are shared to send. */
    usable,
    /** Whether one may answer and file a mail, and not only read it. */
    mayChange: (mail: { accountId: string }) => usable.some(({ id }) => id === mail.accountId),
    problem: workspaces.error ?? accounts.error,
    retry: () => Promise.all([workspaces.refetch(), accounts.refetch()]),
    mayWrite,
    go,
    open: (mail: string | undefined, how?: { replace?: boolean }) => go({ mail }, how),
  };
}

export type Place = ReturnType<typeof usePlace>;

/** The folders of the accounts, each account's in the order that people know. */
export function useFolders(workspaceId: string) {
  return api.useQuery(
    "get",
    "/api/v1/mail/folders",
    { params: { query: { workspaceId } } },
    { enabled: workspaceId !== "" },
  );
}

export const foldersOf = (account: Account, folders: Folder[]) =>
  inOrder(folders.filter(({ accountId }) => accountId === account.id));
