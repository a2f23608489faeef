import { useQueries } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";

export type Tool = Schemas["ToolOut"];

/** The tools that one may use in any of one's workspaces, each once, by name. */
export function useTools(): Tool[] {
  const workspaces = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  const found = useQueries({
    queries: workspaces.map(({ id }) =>
      api.queryOptions(
        "get",
        "/api/v1/workspaces/{workspace_id}/tools",
        { params: { path: { workspace_id: id } } },
        { staleTime: 60_000 },
      ),
    ),
  });
  const tools = new Map(
    found.flatMap(({ data }) => data?.items ?? []).map((tool) => [tool.name, tool]),
  );
  return [...tools.values()].sort((one, other) => one.name.localeCompare(other.name));
}
