import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Account, ACCOUNT, ACCOUNTS, counted } from "../words";

/** What is done with an account in one go. */
export function useAccountActions({ id, label, workspaceId }: Account) {
  const refresh = useRefresh();
  const onSuccess = () => refresh("account");
  const { data } = api.useQuery("get", ACCOUNTS);
  const change = api.useMutation("patch", ACCOUNT, { onSuccess });
  const choose = api.useMutation("post", "/api/v1/accounts/{account_id}/primary", { onSuccess });
  const run = api.useMutation("post", "/api/v1/fetcher/run", {
    onSuccess: async ({ items }) => {
      items.forEach((one) => (one.outcome === "failed" ? notify.failed : notify.done)(told(one)));
      await onSuccess();
    },
  });

  const makePrimary = () => {
    const before = data?.items.find(
      (one) => one.isPrimary && one.right === "own" && one.workspaceId === workspaceId,
    );
    const set = (one: string) => choose.mutateAsync({ params: { path: { account_id: one } } });
    notify.undoable(set(id), `${label} is the primary account now.`, () => set(before?.id ?? id));
  };
  const switchTo = (to: boolean) => {
    const set = (enabled: boolean) =>
      change.mutateAsync({ params: { path: { account_id: id } }, body: { enabled } });
    notify.undoable(set(to), `${label} is switched ${to ? "on" : "off"}.`, () => set(!to));
  };
  const fetchNow = {
    isPending: run.isPending,
    // Whoever sends it says what went wrong.
    run: () => run.mutateAsync({ body: { accountId: id } }).catch(() => {}),
  };
  return { fetchNow, makePrimary, switchTo };
}

function told({ label, outcome, fetched, problemDetail }: Schemas["FetchedOut"]): string {
  switch (outcome) {
    case "done":
      return fetched ? `${label}: ${counted(fetched, "new message")}.` : `${label}: nothing new.`;
    case "failed":
      return `${label}: ${problemDetail ?? "the provider did not answer."}`;
    default:
      return `${label}: there is much to fetch. It goes on by itself.`;
  }
}
