import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { ContactDialog } from "./ContactDialog";
import { ContactRow } from "./ContactRow";
import { type Contact, CONTACTS, useContacts } from "./useContacts";

/** The address book of a workspace, to be searched. */
export function Contacts({ workspace: { id, role } }: { workspace: Schemas["WorkspaceOut"] }) {
  const [sought, setSought] = useState("");
  const [q] = useDebouncedValue(sought.trim(), 250);
  const [adding, { close }] = useDialog();
  const [renaming, renamer] = useDisclosure();
  const [renamed, setRenamed] = useState<Contact>();
  const { remove } = useContacts(id);
  const contacts = api.useInfiniteQuery(
    "get",
    CONTACTS,
    { params: { path: { workspace_id: id }, query: { q, PageSize: 50 } } },
    { ...byPage, placeholderData: keepPreviousData },
  );
  const mayWrite = role !== "read";
  const rename = (contact: Contact) => {
    setRenamed(contact);
    renamer.open();
  };
  const empty = sought ? (
    <Empty
      title="Nobody is called so"
      action={
        <Button variant="default" onClick={() => setSought("")}>
          Show everyone
        </Button>
      }
    />
  ) : (
    <Empty title="Nobody is known here yet">
      Add people, import a vCard file, or write to someone: then they are known too.
    </Empty>
  );
  return (
    <>
      <TextInput
        type="search"
        aria-label="Whom to look for"
        placeholder="Search names and addresses"
        leftSection={<IconSearch size={16} />}
        maxLength={100}
        mb="md"
        data-filter
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      <PagedListing label="Address book" query={contacts} empty={empty}>
        {(contact) => (
          <ContactRow
            key={contact.id}
            contact={contact}
            mayWrite={mayWrite}
            onRename={() => rename(contact)}
            onRemove={() => remove(contact)}
          />
        )}
      </PagedListing>
      <ContactDialog opened={adding && mayWrite} onClose={close} workspaceId={id} />
      <ContactDialog opened={renaming} onClose={renamer.close} workspaceId={id} contact={renamed} />
    </>
  );
}
