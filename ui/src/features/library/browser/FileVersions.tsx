import { Button, Text } from "@mantine/core";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { Unfold } from "@/components/Unfold";
import { When } from "@/components/When";
import { Diff } from "@/features/gate/approvals/Diff";
import { Visible } from "@/features/gate/shared/Untrusted";
import { sizeInWords } from "@/features/mail/reader/words";

import styles from "./Library.module.css";
import { FILES, type FileVersion, IGNORED, useFileVerbs } from "./useLibrary";

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

/** Every version that a file had, and what is different from now. */
export function FileVersions({ workspace, path, mayWrite }: Props) {
  const versions = api.useQuery("get", `${FILES}/versions`, {
    params: { path: { workspace_id: workspace }, query: { path } },
  });
  const { restore, isBusy } = useFileVerbs(workspace);
  return (
    <Loaded query={versions}>
      {({ versions: known }) =>
        known.length === 0 ? (
          <Text size="sm" c="dimmed">
            There are none yet: they are kept from the first change through the office.
          </Text>
        ) : (
          <ol className={styles.versions} role="list" aria-label="Versions" reversed>
            {known.map((version) => (
              <li key={version.id}>
                <Text size="sm">
                  <b>{WORDS[version.change]}</b> by{" "}
                  <Visible>{version.by ?? "another program"}</Visible>, <When at={version.at} />,{" "}
                  {sizeInWords(version.size)}
                  {version.isCurrent && " (this is what is there now)"}
                </Text>
                {!version.isCurrent && (
                  <>
                    {mayWrite && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        color="gray"
                        disabled={isBusy}
                        onClick={() => void restore(path, version.id).catch(IGNORED)}
                      >
                        Bring this version back
                      </Button>
                    )}
                    <Unfold label="What changed since">
                      {() => <Since workspace={workspace} path={path} version={version.id} />}
                    </Unfold>
                  </>
                )}
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function Since({ workspace, path, version }: Omit<Props, "mayWrite"> & { version: string }) {
  const diff = api.useQuery("get", `${FILES}/diff`, {
    params: { path: { workspace_id: workspace }, query: { path, version } },
  });
  return (
    <Loaded query={diff}>
      {({ kind, text, note }) =>
        kind === "diff" && text ? (
          <Diff label="What changed since">{text}</Diff>
        ) : (
          <Text size="sm" c="dimmed">
            {note ?? (text || "It is the same.")}
          </Text>
        )
      }
    </Loaded>
  );
}
