import { Menu, NativeSelect } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { notify } from "@/components/notify";
import { Row } from "@/components/Rows";
import { StateMark, Tag } from "@/components/StateMark";
import { useConfirm } from "@/components/useConfirm";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

import { PersonAvatar } from "../PersonAvatar";
import { useMe } from "../useMe";
import { ROLES } from "./roles";
import type { HandedOut } from "./UsersPage";

type User = Schemas["UserOut"];

interface Props {
  user: User;
  avatarVersion: number;
  onLink: (link: HandedOut) => void;
}

/** One user, and what an admin does about them. */
export function UserRow({ user, avatarVersion, onLink }: Props) {
  const me = useMe();
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const params = { path: { user_id: user.id } };
  const change = api.useMutation("patch", "/api/v1/users/{user_id}", {
    onSuccess: () => refresh("user"),
  });
  const makeLink = api.useMutation("post", "/api/v1/users/{user_id}/password-link", {
    onSuccess: ({ link }) =>
      onLink({ title: `A password link for ${user.name}`, link, name: user.name }),
  });
  const endSessions = api.useMutation("delete", "/api/v1/users/{user_id}/sessions", {
    meta: { inForm: true },
    onSuccess: () => notify.done(`${user.name} is logged out everywhere.`),
  });
  const setRole = (role: User["role"]) => {
    const back = () => change.mutateAsync({ params, body: { role: user.role } });
    const changing = change.mutateAsync({ params, body: { role } });
    const said = `${user.name} is now ${role === "admin" ? "an admin" : "a user"}.`;
    // Who is no admin any more cannot take it back.
    if (user.id === me.id) changing.catch(() => {});
    else notify.undoable(changing, said, back);
  };
  const switchOff = () =>
    ask({
      title: `Switch ${user.name} off?`,
      body: "They are logged out everywhere, cannot log in, and their API tokens are revoked for good. Their work stays, and you can switch them on again.",
      verb: "Switch off",
      run: () => change.mutateAsync({ params, body: { active: false } }),
    });
  const askToEnd = () =>
    ask({
      title: `Log ${user.name} out everywhere?`,
      body: "They have to log in again in every browser. Their API tokens keep working.",
      verb: "Log out everywhere",
      run: () => endSessions.mutateAsync({ params }),
    });

  return (
    <Row
      wraps
      leading={<PersonAvatar person={user} version={avatarVersion} />}
      title={user.name}
      marks={
        <>
          {user.id === me.id && <Tag>you</Tag>}
          {!user.active && <StateMark state="off">switched off</StateMark>}
        </>
      }
      meta={[
        user.email,
        user.lastLoginAt ? (
          <When at={user.lastLoginAt} prefix="last logged in" />
        ) : (
          "has not come in yet"
        ),
      ]}
      actions={
        <>
          <NativeSelect
            size="xs"
            aria-label={`Role of ${user.name}`}
            data={ROLES}
            value={user.role}
            disabled={change.isPending}
            onChange={(event) => setRole(event.currentTarget.value as User["role"])}
          />
          <MoreMenu label={`More for ${user.name}`}>
            <Menu.Item onClick={() => makeLink.mutate({ params })}>Make a password link</Menu.Item>
            <Menu.Item onClick={askToEnd}>Log out everywhere…</Menu.Item>
            {user.active ? (
              <Menu.Item onClick={switchOff}>Switch off…</Menu.Item>
            ) : (
              <Menu.Item onClick={() => change.mutate({ params, body: { active: true } })}>
                Switch on
              </Menu.Item>
            )}
          </MoreMenu>
          {dialog}
        </>
      }
    />
  );
}
