import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Row } from "@/components/Rows";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { CallerName } from "../shared/CallerName";
import { Gist } from "../shared/Gist";
import { Untrusted } from "../shared/Untrusted";
import { useWorkspaceName } from "../shared/useWorkspaces";
import { ApprovalMark } from "./ApprovalMark";
import { usePerson } from "./people";
import { useWaiting } from "./useWaiting";

type Approval = Schemas["ApprovalOut"];

/** What was asked, newest first, and what came of it. */
export function Recent() {
  const waiting = useWaiting();
  const { data, ...approvals } = api.useInfiniteQuery("get", "/api/v1/approvals", {}, byPage);
  // What still waits is on the other list.
  const pages = data?.pages.map(({ items, totalItems }) => ({
    items: items.filter(({ status }) => status !== "pending"),
    totalItems: totalItems - waiting,
  }));
  const empty = (
    <Empty title="Nothing was answered yet">
      What agents ask, and what you answered, stays here.
    </Empty>
  );
  return (
    <PagedListing label="Recent" query={{ ...approvals, data: pages && { pages } }} empty={empty}>
      {(approval) => <RecentRow key={approval.id} approval={approval} />}
    </PagedListing>
  );
}

function RecentRow({ approval }: { approval: Approval }) {
  const { id, title, status, caller, workspaceId, answeredBy, createdAt, error } = approval;
  const workspaceName = useWorkspaceName();
  const person = usePerson(workspaceId, answeredBy);
  return (
    <Row
      title={
        <TextLink to="/approvals/$approvalId" params={{ approvalId: id }} fw={500}>
          {title}
        </TextLink>
      }
      marks={
        <>
          <Gist values={approval.edited ?? approval.arguments} />
          <ApprovalMark status={status} />
        </>
      }
      meta={[
        <CallerName key="caller" caller={caller} />,
        workspaceName(workspaceId),
        answeredBy && `answered by ${person}`,
        <When key="at" at={createdAt} prefix="asked" />,
        error && (
          <Untrusted key="error" most={160}>
            {error}
          </Untrusted>
        ),
      ]}
    />
  );
}
