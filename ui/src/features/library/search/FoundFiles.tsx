import { Badge, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { Empty, Loaded } from "@/components/states";
import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";

import { type Browsed, folderOf, type Go } from "../browser/browsed";
import { FileIcon } from "../browser/FileIcon";
import { askedOf } from "./filters";
import styles from "./Search.module.css";

const MOST = 100;

interface Props {
  workspace: string;
  browsed: Browsed;
  go: Go;
}

/** Files by their names, their words and what they are about, with the place where each says it. */
export function FoundFiles({ workspace, browsed, go }: Props) {
  const query = askedOf(workspace, browsed, MOST);
  const found = api.useQuery(
    "get",
    "/api/v1/search",
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={found}>
      {({ files, more }) =>
        files.length === 0 ? (
          <Empty title="Nothing was found">
            Try other words, or fewer filters. A file that has only just come is found in a moment.
          </Empty>
        ) : (
          <>
            <ul className={styles.list} role="list" aria-label="Found files">
              {files.map((hit) => (
                <li key={hit.id} data-row tabIndex={-1}>
                  <button
                    type="button"
                    className={styles.found}
                    aria-current={browsed.file === hit.path || undefined}
                    data-row-link
                    onClick={() =>
                      go({ file: hit.path, folder: folderOf(hit.path), edit: undefined })
                    }
                  >
                    <FileIcon path={hit.path} />
                    <Words hit={hit} />
                  </button>
                </li>
              ))}
            </ul>
            {more && (
              <Text size="sm" c="dimmed" p="sm">
                There are more. Say more of what you look for.
              </Text>
            )}
          </>
        )
      }
    </Loaded>
  );
}

function Words({ hit }: { hit: Schemas["FileHitOut"] }) {
  const { name, path, snippet, tags, modifiedAt, foundBy } = hit;
  return (
    <span className={styles.words}>
      <Text size="sm" fw={500} span>
        <Visible>{name}</Visible>
      </Text>
      <Text size="xs" c="dimmed" span>
        <Visible>{folderOf(path)}</Visible>, <When at={modifiedAt} />
        {foundBy === "meaning" && ", about the same"}
      </Text>
      {snippet.length > 0 && (
        <Text size="xs" span>
          {snippet.map(({ text, found }, at) =>
            found ? (
              <mark key={at}>
                <Visible>{text}</Visible>
              </mark>
            ) : (
              <Visible key={at}>{text}</Visible>
            ),
          )}
        </Text>
      )}
      {tags.length > 0 && (
        <span className={styles.tags}>
          {tags.map((tag) => (
            <Badge key={tag} size="xs" variant="default" tt="none">
              <Visible>{tag}</Visible>
            </Badge>
          ))}
        </span>
      )}
    </span>
  );
}
