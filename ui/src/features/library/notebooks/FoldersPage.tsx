import { Text } from "@mantine/core";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Empty, Loaded } from "@/components/states";

import { WorkspaceFolders } from "./WorkspaceFolders";

const DESCRIPTION =
  "Folders that agents and MCP clients can reach, each within what it may do. Nothing else on the disk is ever touched.";

/** Folders that are open to agents. */
export function FoldersPage() {
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  return (
    <Page title="Folders" description={DESCRIPTION}>
      <Loaded query={workspaces}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="You are in no workspace">
              Make one under Workspaces: folders are opened to a workspace.
            </Empty>
          ) : (
            items.map((workspace) => <WorkspaceFolders key={workspace.id} workspace={workspace} />)
          )
        }
      </Loaded>
      <WhoseWords />
    </Page>
  );
}

function WhoseWords() {
  return (
    <Section title="Whose words are in a folder">
      <Text size="sm" maw={620}>
        A file may have been written by anybody, with instructions for agents hidden in it. So what
        an agent reads in a folder counts as a stranger's words, and from then on a person is asked
        before it changes anything that you did not name. If you say that everything in a folder is
        your own words, agents act on what stands there as if you had said it, also on files that
        you downloaded or that others put there. Say it only where nobody but you writes. What lies
        in a folder called inbox counts as a stranger's words all the same.
      </Text>
    </Section>
  );
}
