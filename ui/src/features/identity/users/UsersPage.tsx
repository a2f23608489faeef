import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { ShownOnce } from "@/components/ShownOnce";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { InviteDialog } from "./InviteDialog";
import { UserRow } from "./UserRow";

export interface HandedOut {
  title: string;
  link: string;
  name: string;
}

/** Everyone who may come in. */
export function UsersPage() {
  const users = api.useInfiniteQuery("get", "/api/v1/users", {}, byPage);
  const [inviting, { open, close }] = useDialog();
  const [handedOut, setHandedOut] = useState<HandedOut | null>(null);
  return (
    <Page
      title="Users"
      description="Everyone who may come into this office. An invitation is a link that you give to the person."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          Invite someone
        </Button>
      }
    >
      <PagedListing label="Users" query={users} empty={<Empty title="There are no users" />}>
        {(user) => (
          <UserRow
            key={user.id}
            user={user}
            avatarVersion={users.dataUpdatedAt}
            onLink={setHandedOut}
          />
        )}
      </PagedListing>
      <InviteDialog opened={inviting} onClose={close} onInvited={setHandedOut} />
      <ShownOnce
        title={handedOut?.title ?? ""}
        label="Link"
        value={handedOut?.link ?? null}
        onClose={() => setHandedOut(null)}
      >
        Give this link to {handedOut?.name} over a channel you trust. It works once and is shown
        this once only; a new link ends this one.
      </ShownOnce>
    </Page>
  );
}
