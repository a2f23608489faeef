import { Button, NativeSelect } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { Listing } from "@/components/Listing";
import { notify } from "@/components/notify";
import { Row } from "@/components/Rows";
import { Section } from "@/components/Section";
import { Tag } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { When } from "@/components/When";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { AddMember } from "./AddMember";
import { ROLES, roleName, type WorkspaceRole } from "./roles";

interface Props {
  workspaceId: string;
  manages: boolean;
}

/** The members of a workspace; its admins change them. */
export function Members({ workspaceId, manages }: Props) {
  const members = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/members", {
    params: { path: { workspace_id: workspaceId } },
  });
  return (
    <Section title="Members">
      {manages && <AddMember workspaceId={workspaceId} />}
      <Listing label="Members" query={members} empty={<Empty title="There are no members" />}>
        {(member) => (
          <MemberRow
            key={member.userId}
            member={member}
            workspaceId={workspaceId}
            manages={manages}
          />
        )}
      </Listing>
    </Section>
  );
}

function MemberRow({ member, workspaceId, manages }: Props & { member: Schemas["MemberOut"] }) {
  const me = useMe();
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const path = { workspace_id: workspaceId, user_id: member.userId };
  const onSuccess = () => refresh("workspace");
  const url = "/api/v1/workspaces/{workspace_id}/members/{user_id}" as const;
  const set = api.useMutation("put", url, { onSuccess });
  const remove = api.useMutation("delete", url, { onSuccess });
  const back = () => set.mutateAsync({ params: { path }, body: { role: member.role } });
  const isMe = member.userId === me.id;
  const setRole = (role: WorkspaceRole) => {
    const setting = set.mutateAsync({ params: { path }, body: { role } });
    const said = `${member.name}: ${roleName(role).toLowerCase()}.`;
    if (isMe) setting.catch(() => {});
    else notify.undoable(setting, said, back);
  };
  const takeOut = () =>
    notify.undoable(remove.mutateAsync({ params: { path } }), `${member.name} is taken out.`, back);
  // One cannot let oneself in again, so this is asked; the rest can be undone.
  const askToLeave = () =>
    ask({
      title: "Leave this workspace?",
      body: "You no longer see it. Only another of its admins can let you in again.",
      verb: "Leave",
      run: () => remove.mutateAsync({ params: { path } }),
    });
  return (
    <Row
      wraps={manages}
      title={member.name}
      marks={isMe && <Tag>you</Tag>}
      meta={[
        member.email,
        !manages && roleName(member.role),
        <When at={member.createdAt} prefix="since" />,
      ]}
      actions={
        manages && (
          <>
            <NativeSelect
              size="xs"
              aria-label={`Role of ${member.name}`}
              data={ROLES}
              value={member.role}
              disabled={set.isPending}
              onChange={(event) => setRole(event.currentTarget.value as WorkspaceRole)}
            />
            <Button
              size="xs"
              variant="default"
              aria-label={isMe ? "Leave this workspace" : `Take ${member.name} out`}
              onClick={isMe ? askToLeave : takeOut}
            >
              {isMe ? "Leave" : "Take out"}
            </Button>
            {dialog}
          </>
        )
      }
    />
  );
}
