import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { Loaded } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { When } from "@/components/When";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { KeyDialog } from "./KeyDialog";
import { KEYS, type KeyName } from "./keyWords";

/** The agent's own key for its model. It can be set and forgotten, and is never shown. */
export function Keys({ agentId }: { agentId: string }) {
  const params = { path: { agent_id: agentId } };
  const keys = api.useQuery("get", "/api/v1/agents/{agent_id}/credentials", { params });
  const { isAdmin } = useMe();
  const [setting, setSetting] = useState<KeyName | null>(null);
  return (
    <>
      <Loaded query={keys}>
        {({ items }) => (
          <Rows label="Its own keys">
            {KEYS.map(({ name, label, about }) => {
              const found = items.find(({ keyName }) => keyName === name);
              // An address makes sense for the agent's own key only, and is for an admin to choose.
              const isClosed =
                name === "api_base" &&
                (!isAdmin || !items.some((one) => one.keyName === "api_key"));
              return (
                <Row
                  key={name}
                  wraps
                  title={label}
                  meta={[found ? <When at={found.createdAt} prefix="set" /> : about]}
                  actions={
                    <KeyActions
                      agentId={agentId}
                      name={name}
                      found={found}
                      isClosed={isClosed}
                      onSet={() => setSetting(name)}
                    />
                  }
                />
              );
            })}
          </Rows>
        )}
      </Loaded>
      <KeyDialog agentId={agentId} name={setting} onClose={() => setSetting(null)} />
    </>
  );
}

interface ActionsProps {
  agentId: string;
  name: KeyName;
  found: Schemas["CredentialOut"] | undefined;
  isClosed: boolean;
  onSet: () => void;
}

function KeyActions({ agentId, name, found, isClosed, onSet }: ActionsProps) {
  const { isAdmin } = useMe();
  const { label, lost } = KEYS.find((one) => one.name === name) ?? KEYS[0];
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const drop = api.useMutation("delete", "/api/v1/agents/{agent_id}/credentials/{key}", {
    meta: { inForm: true },
    onSuccess: () => refresh("agent"),
  });
  const forget = () =>
    ask({
      title: `Forget “${label}”?`,
      body: lost,
      verb: "Forget it",
      run: () => drop.mutateAsync({ params: { path: { agent_id: agentId, key: name } } }),
    });
  if (isClosed && !found) {
    return (
      <Text size="sm" c="dimmed">
        {isAdmin ? "Set the key first" : "Only an admin of the office sets it"}
      </Text>
    );
  }
  return (
    <Group gap="xs">
      {!isClosed && (
        <Button size="xs" variant="default" aria-label={`Set: ${label}`} onClick={onSet}>
          {found ? "Replace" : "Set"}
        </Button>
      )}
      {found && (
        <Button size="xs" variant="default" aria-label={`Forget: ${label}`} onClick={forget}>
          Forget
        </Button>
      )}
      {dialog}
    </Group>
  );
}
