import { api } from "@/api/client";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";

import type { Case } from "../words";

/** What one may do with a case: the account says it, and the workspace. */
export function useMay() {
  const accounts = api.useQuery("get", "/api/v1/accounts").data?.items;
  const mayWrite = useMayWrite();
  const accountOf = ({ accountId }: Case) => accounts?.find(({ id }) => id === accountId);
  return {
    /** Stop it, run it again, delete it. */
    manage: (one: Case) => accountOf(one)?.right === "own",
    /** Add, change and remove items. */
    edit: (one: Case) => mayWrite(one.workspaceId),
    reply: (one: Case) => {
      const account = accountOf(one);
      return account !== undefined && account.right !== "read" && mayWrite(one.workspaceId);
    },
    /** The accounts of its workspace, to write from. */
    accounts: (one: Case) =>
      accounts?.filter(({ workspaceId }) => workspaceId === one.workspaceId) ?? [],
  };
}
