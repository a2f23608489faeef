import { Button, Group, Text } from "@mantine/core";
import { IconSparkles } from "@tabler/icons-react";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { useRefresh } from "@/live/useRefresh";

import { Papers } from "./papers/Papers";
import { Upload } from "./papers/Upload";
import { usePapers } from "./papers/usePapers";
import { canBeTried, type Paper } from "./papers/words";

interface Props {
  workspace: Schemas["WorkspaceOut"];
  settings: Schemas["InboxSettingsOut"] | undefined;
}

/** The papers in the inboxes of one workspace. */
export function InboxOf({ workspace: { id, role }, settings }: Props) {
  const papers = usePapers();
  const refresh = useRefresh();
  const organising = api.useMutation("post", "/api/v1/inbox/organize", {
    onSettled: () => refresh("inbox"),
  });
  const params = { query: { workspaceId: id } };
  const look = (some?: Paper[]) =>
    organising.mutate(
      { params, body: { fileIds: some?.map((paper) => paper.id) ?? null } },
      {
        onSuccess: ({ atWork }) =>
          atWork === 0 && notify.done("There is nothing that the organiser could look at."),
      },
    );
  const mayAnswer = role !== "read";
  const isOff = settings?.agentEnabled === false;
  return (
    <Loaded query={papers}>
      {({ items }) => {
        const here = items.filter(({ workspaceId }) => workspaceId === id);
        const shown =
          here.length === 0 ? (
            <NothingHere workspaceId={id} />
          ) : (
            <>
              {mayAnswer && (
                <Group gap="sm" mb="xs">
                  <Button
                    size="xs"
                    leftSection={<IconSparkles size={15} />}
                    loading={organising.isPending}
                    disabled={isOff || !here.some(canBeTried)}
                    onClick={() => look()}
                  >
                    Organise everything
                  </Button>
                  {isOff && (
                    <Text size="sm" c="dimmed">
                      The organiser is switched off; an admin can switch it on under Settings.
                    </Text>
                  )}
                </Group>
              )}
              <Papers papers={here} mayAnswer={mayAnswer} onTry={look} />
            </>
          );
        return mayAnswer ? <Upload workspaceId={id}>{shown}</Upload> : shown;
      }}
    </Loaded>
  );
}

/** Says where papers are put. */
function NothingHere({ workspaceId }: { workspaceId: string }) {
  const notebooks = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/notebooks", {
    params: { path: { workspace_id: workspaceId } },
  });
  const names = notebooks.data?.items.map(({ name }) => `${name}/inbox`) ?? [];
  if (notebooks.data && names.length === 0) {
    return (
      <Empty title="There is no notebook here yet">
        Open a folder under <TextLink to="/settings/folders">Folders</TextLink>. What lies in its
        folder <code>inbox</code> is shown here.
      </Empty>
    );
  }
  return (
    <Empty title="The inbox is empty">
      Put a file into {inWords(names)}: with any program, or drop it here. The organiser looks at it
      and suggests a folder.
    </Empty>
  );
}

const FEW = 3;

function inWords(names: string[]): string {
  if (names.length === 0 || names.length > FEW) return "the folder “inbox” of a notebook";
  return new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}
