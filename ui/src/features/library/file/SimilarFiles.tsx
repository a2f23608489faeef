import { Text } from "@mantine/core";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { Visible } from "@/features/gate/shared/Untrusted";

import { FILES, folderOf, type Go } from "../browser/browsed";
import { FileIcon } from "../browser/FileIcon";
import styles from "./File.module.css";

interface Props {
  workspace: string;
  path: string;
  go: Go;
}

/** Files that say alike things, the nearest first. */
export function SimilarFiles({ workspace, path, go }: Props) {
  const similar = api.useQuery("get", `${FILES}/similar`, {
    params: { path: { workspace_id: workspace }, query: { path } },
  });
  return (
    <Loaded query={similar}>
      {({ files }) =>
        files.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing else in the library is like it. A file that has only just come is compared in a
            moment.
          </Text>
        ) : (
          <ul className={styles.list} role="list" aria-label="Similar files">
            {files.map(({ path: other, name, likeness }) => (
              <li key={other}>
                <button
                  type="button"
                  className={styles.similar}
                  onClick={() => go({ file: other, folder: folderOf(other), edit: undefined })}
                >
                  <FileIcon path={other} />
                  <span>
                    <Text size="sm" fw={500} span>
                      <Visible>{name}</Visible>
                    </Text>
                    <Text size="xs" c="dimmed" span>
                      <Visible>{folderOf(other)}</Visible>
                    </Text>
                  </span>
                  {likeness !== null && (
                    <Text size="xs" c="dimmed" span>
                      {Math.round(Math.max(0, likeness) * 100)}% alike
                    </Text>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
