import { api } from "@/api/client";

import { SampleOffice } from "./SampleOffice";
import { StartHere } from "./StartHere";
import { useDemo, useSampleWorkspace } from "./useDemo";

/** For the first page: what to begin with, or what the sample data shows. */
export function FirstSteps() {
  const workspaceId = useSampleWorkspace();
  return workspaceId ? <Offered workspaceId={workspaceId} /> : null;
}

function Offered({ workspaceId }: { workspaceId: string }) {
  const { data: demo } = useDemo(workspaceId);
  const { data: accounts } = api.useQuery("get", "/api/v1/accounts");
  if (!demo || !accounts) return null;
  if (demo.state !== "absent") return <SampleOffice workspaceId={workspaceId} demo={demo} />;
  // Whoever has mail of their own here has begun already.
  return accounts.items.length === 0 ? <StartHere workspaceId={workspaceId} /> : null;
}
