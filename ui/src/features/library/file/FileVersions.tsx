import { Anchor, Button, Group, Text } from "@mantine/core";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { Unfold } from "@/components/Unfold";
import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";
import { sizeInWords } from "@/features/mail/reader/words";

import { contentOf, FILES, type FileVersion } from "../browser/browsed";
import { CompareVersions, Differences } from "./CompareVersions";
import styles from "./File.module.css";
import { IGNORED, useFileVerbs } from "./useFileVerbs";

const WORDS: Record<FileVersion["change"], string> = {
  created: "Made",
  replaced: "Changed",
  properties: "Properties changed",
  restored: "Brought back",
  undone: "Taken back",
  deleted: "Deleted",
  found: "Changed",
};

interface Props {
  workspace: string;
  path: string;
  mayWrite: boolean;
}

/** Every version that a file had, and what is different between any two. */
export function FileVersions({ workspace, path, mayWrite }: Props) {
  const versions = api.useQuery("get", `${FILES}/versions`, {
    params: { path: { workspace_id: workspace }, query: { path } },
  });
  return (
    <Loaded query={versions}>
      {({ versions: known }) =>
        known.length === 0 ? (
          <Text size="sm" c="dimmed">
            There are none yet: they are kept from the first change through the office.
          </Text>
        ) : (
          <>
            {known.length > 2 && (
              <Unfold label="Compare two versions">
                {() => <CompareVersions workspace={workspace} path={path} versions={known} />}
              </Unfold>
            )}
            <ol className={styles.list} role="list" aria-label="Versions" reversed>
              {known.map((version) => (
                <Version
                  key={version.id}
                  workspace={workspace}
                  path={path}
                  version={version}
                  mayWrite={mayWrite}
                />
              ))}
            </ol>
          </>
        )
      }
    </Loaded>
  );
}

function Version({ workspace, path, version, mayWrite }: Props & { version: FileVersion }) {
  const { restore, isBusy } = useFileVerbs(workspace);
  const { id, change, by, at, size, isCurrent } = version;
  return (
    <li className={styles.version}>
      <Text size="sm">
        <b>{WORDS[change]}</b> by <Visible>{by ?? "another program"}</Visible>, <When at={at} />,{" "}
        {sizeInWords(size)}
        {isCurrent && " (this is what is there now)"}
      </Text>
      {!isCurrent && (
        <>
          <Group gap="sm">
            {mayWrite && (
              <Button
                size="compact-xs"
                variant="default"
                disabled={isBusy}
                onClick={() => void restore(path, id).catch(IGNORED)}
              >
                Bring this version back
              </Button>
            )}
            <Anchor
              size="xs"
              href={contentOf(workspace, path, { version: id, download: "true" })}
              download
            >
              Download it
            </Anchor>
          </Group>
          <Unfold label="What changed since">
            {() => <Differences workspace={workspace} path={path} version={id} />}
          </Unfold>
        </>
      )}
    </li>
  );
}
