import { Button, Code, Group } from "@mantine/core";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { notify } from "@/components/notify";
import { Row } from "@/components/Rows";
import { Section } from "@/components/Section";
import { Tag } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

const DESCRIPTION =
  "Passwords and tokens of other services are sealed with the key in use. Older keys stay until they are dropped, because older backups need them.";

/** The vault's keys by id, and their rotation. */
export function VaultKeys() {
  const vault = api.useQuery("get", "/api/v1/vault");
  const keys = { ...vault, data: vault.data && { items: vault.data.keys } };
  return (
    <Section
      title="Keys"
      description={DESCRIPTION}
      actions={<KeyActions kept={vault.data?.keys.length ?? 0} />}
    >
      <Listing label="Keys" query={keys} empty={<Empty title="There is no key" />}>
        {(id) => (
          <Row
            key={id}
            title={<Code>{id}</Code>}
            marks={id === vault.data?.active ? <Tag>in use</Tag> : <Tag>older</Tag>}
          />
        )}
      </Listing>
    </Section>
  );
}

function KeyActions({ kept }: { kept: number }) {
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const rotate = api.useMutation("post", "/api/v1/vault/rotate", {
    meta: { inForm: true },
    onSuccess: async ({ resealed }) => {
      await refresh("vault");
      notify.done(`A new key is in use; ${resealed} values were sealed again.`);
    },
  });
  const prune = api.useMutation("post", "/api/v1/vault/prune", {
    meta: { inForm: true },
    onSuccess: async ({ dropped }) => {
      await refresh("vault");
      notify.done(dropped.length ? `Keys dropped: ${dropped.length}.` : "No key could be dropped.");
    },
  });
  const askToRotate = () =>
    ask({
      title: "Use a new key?",
      body: "Everything that is sealed is sealed again with a new key. Make a copy of the new key afterwards.",
      verb: "Use a new key",
      run: () => rotate.mutateAsync({}),
    });
  const askToPrune = () =>
    ask({
      title: "Drop the older keys?",
      body: "Backups made before the last new key can then bring back everything but the sealed credentials. This cannot be undone.",
      verb: "Drop older keys",
      run: () => prune.mutateAsync({}),
    });
  return (
    <Group gap="xs">
      {kept > 1 && (
        <Button variant="default" onClick={askToPrune}>
          Drop older keys
        </Button>
      )}
      <Button variant="default" onClick={askToRotate}>
        Use a new key
      </Button>
      {dialog}
    </Group>
  );
}
