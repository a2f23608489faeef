import { api } from "@/api/client";
import { useMe } from "@/features/identity/useMe";

import type { Rule } from "./ruleForm";

/** For whom rules are, and who may change them. */
export function useBounds() {
  const { isAdmin, id: me } = useMe();
  const known = api.useQuery("get", "/api/v1/workspaces").data;
  const workspaces = known?.items ?? [];
  const some = { params: { query: { PageSize: 100 } } };
  const users = api.useQuery("get", "/api/v1/users", some, { enabled: isAdmin }).data?.items ?? [];
  const nameIn = (things: { id: string; name: string }[], id: string) =>
    things.find((one) => one.id === id)?.name ?? id;
  return {
    /** The workspaces for which one may make rules. */
    governed: workspaces.filter(({ role }) => isAdmin || role === "admin"),
    workspaces,
    areKnown: known !== undefined,
    mayOrder: isAdmin,
    isAdmin,
    mayChange: ({ workspaceId }: Rule) =>
      isAdmin || workspaces.some(({ id, role }) => id === workspaceId && role === "admin"),
    of: ({ workspaceId, connector, userId }: Rule) =>
      [
        workspaceId && `only in ${nameIn(workspaces, workspaceId)}`,
        connector && `only tools of ${connector}`,
        userId && (userId === me ? "only for you" : `only for ${nameIn(users, userId)}`),
      ].filter((bound) => typeof bound === "string"),
  };
}

export type Bounds = ReturnType<typeof useBounds>;
