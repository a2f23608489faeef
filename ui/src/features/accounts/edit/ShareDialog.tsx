import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useRefresh } from "@/live/useRefresh";

import { type Account, type Right, RIGHTS, SHARE, SHARES } from "../words";

interface Props {
  opened: boolean;
  onClose: () => void;
  account: Account;
}

const EVERYONE = "*";
// On a phone, what does not fit beside a name goes below it.
const NARROWEST = 180;

/** With whom an account is shared, and for what; nobody else sees anything of it. */
export function ShareDialog({ opened, onClose, account }: Props) {
  const { id, label } = account;
  const refresh = useRefresh();
  const path = { account_id: id };
  const shares = api.useQuery("get", SHARES, { params: { path } }, { enabled: opened });
  const onSuccess = () => refresh("account");
  const set = api.useMutation("put", SHARE, { meta: { inForm: true }, onSuccess });
  const end = api.useMutation("delete", SHARE, { meta: { inForm: true }, onSuccess });
  const share = (memberId: string, right: Right) =>
    set.mutate({ params: { path: { ...path, member_id: memberId } }, body: { right } });
  const unshare = (memberId: string) =>
    end.mutate({ params: { path: { ...path, member_id: memberId } } });
  const given = shares.data?.items ?? [];
  const problem = set.error ?? end.error;
  return (
    <Modal opened={opened} onClose={onClose} title={`Share ${label}`} size="lg">
      <Stack gap="md">
        <Text size="sm">
          {given.length
            ? "These people see the mail of this account. Your conversations with agents, your contacts and what waits for your answer stay yours."
            : "Nobody but you sees anything of this account. Share it, and others see its mail; your conversations with agents, your contacts and what waits for your answer stay yours."}
        </Text>
        <ProblemAlert>{problem ? detailOf(problem) : null}</ProblemAlert>
        {given.map((one) => (
          <SharedWith
            key={one.memberId}
            share={one}
            onChange={(right) => share(one.memberId, right)}
            onEnd={() => unshare(one.memberId)}
          />
        ))}
        <NewShare account={account} given={given} pending={set.isPending} onShare={share} />
      </Stack>
    </Modal>
  );
}

interface SharedProps {
  share: Schemas["AccountShareOut"];
  onChange: (right: Right) => void;
  onEnd: () => void;
}

function SharedWith({ share: { name, right }, onChange, onEnd }: SharedProps) {
  return (
    <Group gap="xs">
      <Text size="sm" truncate flex={1} miw={NARROWEST}>
        {name}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label={`What ${name} may do`}
          data={RIGHTS}
          value={right}
          allowDeselect={false}
          w={160}
          size="xs"
          onChange={(to) => to && onChange(to)}
        />
        <Button
          size="xs"
          variant="default"
          onClick={onEnd}
          aria-label={`Stop sharing with ${name}`}
        >
          Stop
        </Button>
      </Group>
    </Group>
  );
}

interface NewProps {
  account: Account;
  given: Schemas["AccountShareOut"][];
  pending: boolean;
  onShare: (memberId: string, right: Right) => void;
}

function NewShare({ account: { workspaceId, ownerId }, given, pending, onShare }: NewProps) {
  const [member, setMember] = useState<string | null>(null);
  const [right, setRight] = useState<Right>("read");
  const path = { workspace_id: workspaceId };
  const { data } = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/members", {
    params: { path },
  });
  const shared = new Set([ownerId, ...given.map(({ memberId }) => memberId)]);
  const people = (data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name }));
  const choices = [...people, { value: EVERYONE, label: "Everyone here" }].filter(
    ({ value }) => !shared.has(value),
  );
  if (people.length < 2) {
    return (
      <Text size="sm" c="dimmed">
        You are alone in this workspace. Add people to it first, under Workspaces.
      </Text>
    );
  }
  const add = () => {
    if (member) onShare(member, right);
    setMember(null);
  };
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Share with"
        placeholder="Choose someone"
        data={choices}
        value={member}
        onChange={setMember}
        flex={1}
        miw={NARROWEST}
      />
      <Select
        label="They may"
        data={RIGHTS}
        value={right}
        allowDeselect={false}
        w={160}
        onChange={(to) => to && setRight(to)}
      />
      <Button onClick={add} disabled={!member} loading={pending}>
        Share
      </Button>
    </Group>
  );
}
