import { Text } from "@mantine/core";

import { api } from "@/api/client";
import { Empty, Loaded } from "@/components/states";
import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Library.module.css";
import { type Browsed, folderOf } from "./useLibrary";

interface Found {
  files: { path: string; lines?: string[] }[];
}

interface Props {
  workspace: string;
  words: string;
  go: (change: Browsed) => void;
}

/** Files whose name or text has the words. */
export function FoundFiles({ workspace, words, go }: Props) {
  // Through the gate, as everybody: what the person may not see is not found.
  const found = api.useQuery("post", "/api/v1/workspaces/{workspace_id}/tools/{tool}", {
    params: { path: { workspace_id: workspace, tool: "search_content" } },
    body: { arguments: { query: words, limit: 50 } },
  });
  return (
    <Loaded query={found}>
      {({ result }) => {
        const { files } = result as Found;
        if (files.length === 0) {
          return <Empty title="Nothing was found">No file has these words.</Empty>;
        }
        return (
          <ul className={styles.list} role="list" aria-label="Found files">
            {files.map(({ path, lines }) => (
              <li key={path} data-row tabIndex={-1}>
                <button
                  type="button"
                  className={styles.found}
                  data-row-link
                  onClick={() => go({ file: path, folder: folderOf(path) })}
                >
                  <Text size="sm" span>
                    <Visible>{path}</Visible>
                  </Text>
                  {lines?.slice(0, 2).map((line, at) => (
                    <Text key={at} size="xs" c="dimmed" span>
                      <Visible>{line}</Visible>
                    </Text>
                  ))}
                </button>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}
