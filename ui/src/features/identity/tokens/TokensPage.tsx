import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage, silent } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { notify } from "@/components/notify";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { ShownOnce } from "@/components/ShownOnce";
import { StateMark, Tag } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { useConfirm } from "@/components/useConfirm";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";
import { useDialog } from "@/routes/useDialog";

import { TokenDialog } from "./TokenDialog";

const DESCRIPTION =
  "A token lets a program do what you may do, within its scopes, until it expires. Send it as “Authorization: Bearer …”.";

/** Keys for programs. */
export function TokensPage() {
  const tokens = api.useInfiniteQuery("get", "/api/v1/tokens", {}, { ...byPage, ...silent });
  const [making, { open, close }] = useDialog();
  const [made, setMade] = useState<Schemas["NewTokenOut"] | null>(null);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New token
    </Button>
  );
  const empty = (
    <Empty title="You have no tokens yet" action={add}>
      Make one for a script or for another program that uses this office.
    </Empty>
  );
  return (
    <Page
      title="API tokens"
      description={DESCRIPTION}
      actions={tokens.data?.pages[0]?.items.length ? add : null}
    >
      <PagedListing label="API tokens" query={tokens} empty={empty}>
        {(token) => <TokenRow key={token.id} token={token} />}
      </PagedListing>
      <TokenDialog opened={making} onClose={close} onMade={setMade} />
      <ShownOnce
        title={made ? `Token “${made.name}”` : ""}
        label="Token"
        value={made?.secret ?? null}
        onClose={() => setMade(null)}
      >
        Copy it now and keep it like a password: it is shown this once only.
      </ShownOnce>
    </Page>
  );
}

function TokenRow({ token }: { token: Schemas["TokenOut"] }) {
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const revoke = api.useMutation("delete", "/api/v1/tokens/{token_id}", {
    meta: { inForm: true },
    onSuccess: async () => {
      await refresh("token");
      notify.done(`“${token.name}” no longer works.`);
    },
  });
  const expired = new Date(token.expiresAt) < new Date();
  return (
    <Row
      title={token.name}
      marks={
        <>
          {token.scopes.map((scope) => (
            <Tag key={scope}>{scope}</Tag>
          ))}
          {expired && <StateMark state="off">expired</StateMark>}
        </>
      }
      meta={[
        <code>{token.hint}…</code>,
        token.lastUsedAt ? <When at={token.lastUsedAt} prefix="last used" /> : "never used",
        <When at={token.expiresAt} prefix={expired ? "expired" : "expires"} />,
      ]}
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={`Revoke ${token.name}`}
            onClick={() =>
              ask({
                title: `Revoke “${token.name}”?`,
                body: "Programs that use it stop working at once. It cannot be brought back.",
                verb: "Revoke",
                run: () => revoke.mutateAsync({ params: { path: { token_id: token.id } } }),
              })
            }
          >
            Revoke
          </Button>
          {dialog}
        </>
      }
    />
  );
}
