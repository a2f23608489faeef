import { api } from "@/api/client";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import { GuidelineEditor } from "./GuidelineEditor";
import { Proposals, useProposals } from "./Proposals";

/** What belongs where, in each notebook of a workspace; and the changes that decisions speak for. */
export function Guidelines({ workspaceId, mayWrite }: { workspaceId: string; mayWrite: boolean }) {
  const guidelines = api.useQuery("get", "/api/v1/inbox/guidelines", {
    params: { query: { workspaceId } },
  });
  const proposals = useProposals(workspaceId).data?.items ?? [];
  return (
    <Loaded query={guidelines}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="No folder is open here yet">
            A guideline belongs to a notebook. Open one under{" "}
            <TextLink to="/settings/folders">Folders</TextLink>.
          </Empty>
        ) : (
          <>
            <Proposals
              proposals={proposals}
              nameOf={(id) => items.find((one) => one.notebookId === id)?.notebook ?? "a notebook"}
              mayAnswer={mayWrite}
            />
            {items.map((guideline) => (
              <GuidelineEditor
                key={guideline.notebookId}
                guideline={guideline}
                mayWrite={mayWrite}
              />
            ))}
          </>
        )
      }
    </Loaded>
  );
}
