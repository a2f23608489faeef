import { Button, FileButton, NativeSelect } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Page } from "@/components/Page";
import { Empty, Loaded } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { Contacts } from "./Contacts";
import { useContacts } from "./useContacts";

const DESCRIPTION =
  "Whom you know. Mail that is proven to be from one of these counts as a contact's words; everyone else is a stranger.";

/** The address book. */
export function ContactsPage() {
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const [chosen, setChosen] = useState<string>();
  const items = workspaces.data?.items ?? [];
  const here = items.find(({ id }) => id === chosen) ?? items[0];
  const choice = items.length > 1 && (
    <NativeSelect
      aria-label="Workspace"
      data={items.map(({ id, name }) => ({ value: id, label: name }))}
      value={here?.id}
      onChange={(event) => setChosen(event.currentTarget.value)}
    />
  );
  return (
    <Page
      title="Address book"
      description={DESCRIPTION}
      actions={
        <>
          {choice}
          {here && here.role !== "read" && <Adding workspace={here} />}
        </>
      }
    >
      <Loaded query={workspaces}>
        {() =>
          here ? (
            <Contacts key={here.id} workspace={here} />
          ) : (
            <Empty title="You are in no workspace">
              Make one under Workspaces: an address book belongs to a workspace.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

function Adding({ workspace }: { workspace: Schemas["WorkspaceOut"] }) {
  const [, { open }] = useDialog();
  const { importFile, isImporting } = useContacts(workspace.id);
  return (
    <>
      <FileButton
        accept=".vcf,.vcard,text/vcard"
        inputProps={{ "aria-label": "A vCard file" }}
        onChange={(file) => void importFile(file)}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={isImporting}
            leftSection={<IconFileImport size={16} />}
          >
            Import vCard
          </Button>
        )}
      </FileButton>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Add someone
      </Button>
    </>
  );
}
