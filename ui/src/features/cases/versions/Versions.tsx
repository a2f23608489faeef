import { Button, Text } from "@mantine/core";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { Loaded } from "@/components/states";
import { Unfold } from "@/components/Unfold";
import { When } from "@/components/When";
import { Diff } from "@/features/gate/approvals/Diff";
import { Visible } from "@/features/gate/shared/Untrusted";
import { useRefresh } from "@/live/useRefresh";

import { type Item, titleOf, type Version } from "../words";
import { changes } from "./changes";
import styles from "./Versions.module.css";

/** Every version that an item had, and what each of them changed. */
export function Versions({ item, mayEdit }: { item: Item; mayEdit: boolean }) {
  return (
    <Unfold label={`All ${item.revision} versions`}>
      {() => <List item={item} mayEdit={mayEdit} />}
    </Unfold>
  );
}

function List({ item, mayEdit }: { item: Item; mayEdit: boolean }) {
  const path = { case_id: item.caseId, item_id: item.id };
  const versions = api.useQuery("get", "/api/v1/cases/{case_id}/items/{item_id}/versions", {
    params: { path },
  });
  const refresh = useRefresh();
  const change = api.useMutation("put", "/api/v1/cases/{case_id}/items/{item_id}", {
    onSuccess: () => notify.done(`“${titleOf(item)}” is as it was then.`),
    onSettled: () => refresh("item"),
  });
  const bringBack = ({ label, description, mimeType, encoding, data, tags }: Version) =>
    change.mutate({
      params: { path },
      body: {
        ...{ label, description, encoding, data, tags },
        ...(mimeType && { mimeType }),
        expectedRevision: item.revision,
      },
    });
  return (
    <Loaded query={versions}>
      {({ items }) => (
        <ol className={styles.versions} role="list" aria-label="Versions" reversed>
          {items.map((version, at) => (
            <li key={version.revision}>
              <div className={styles.head}>
                <Text size="sm" fw={500} span>
                  Revision {version.revision}
                </Text>
                <Text size="sm" c="dimmed" span>
                  <Visible>{version.author.name}</Visible>, <When at={version.at} />
                </Text>
                {mayEdit && at > 0 && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    disabled={change.isPending}
                    onClick={() => bringBack(version)}
                  >
                    Bring this version back
                  </Button>
                )}
              </div>
              <Changed version={version} before={items[at + 1]} />
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

function Changed({ version, before }: { version: Version; before: Version | undefined }) {
  if (!before) return <Quiet>The first version.</Quiet>;
  if (version.encoding !== "utf8" || before.encoding !== "utf8") {
    return <Quiet>{version.data === before.data ? "The same content." : "Another file."}</Quiet>;
  }
  const told = changes(before.data, version.data);
  if (!told) return <Quiet>The same text, under another name or with other tags.</Quiet>;
  return <Diff label={`What revision ${version.revision} changed`}>{told}</Diff>;
}

function Quiet({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
