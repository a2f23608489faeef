import { api, type Schemas } from "@/api/client";
import { useManaged } from "@/features/accounts/useManaged";
import { focusHeading } from "@/keyboard/focus";
import { useRefresh } from "@/live/useRefresh";

export type Demo = Schemas["DemoOut"];
export type Finding = Schemas["DemoFindingOut"];

const DEMO = "/api/v1/workspaces/{workspace_id}/demo";
const LOOK_MS = 1000;

/** Whether the office is still at it: fetching, or the assistant at work. */
export const isBusy = (demo: Demo | undefined) =>
  demo?.state === "fetching" || demo?.state === "working";

/** The workspace that the sample data goes into: the first that one may manage. */
export function useSampleWorkspace(): string | undefined {
  return useManaged().items[0]?.id;
}

/** How the sample data is; looked at often while something happens. */
export function useDemo(workspaceId: string) {
  return api.useQuery("get", DEMO, of(workspaceId), {
    refetchInterval: ({ state }) => (isBusy(state.data) ? LOOK_MS : false),
  });
}

export function useDemoChanges(workspaceId: string) {
  const refresh = useRefresh();
  const onSuccess = async () => {
    await refresh("account", "approval", "outbox");
    // What was pressed is gone by now.
    if (document.activeElement === document.body) focusHeading();
  };
  const add = api.useMutation("post", DEMO, { onSuccess });
  const remove = api.useMutation("delete", DEMO, { onSuccess });
  return {
    add: () => add.mutateAsync(of(workspaceId)),
    remove: () => remove.mutateAsync(of(workspaceId)),
    isPending: add.isPending || remove.isPending,
  };
}

function of(workspaceId: string) {
  return { params: { path: { workspace_id: workspaceId } } };
}
