import { NativeSelect, SegmentedControl, Text } from "@mantine/core";

import { isHere, TOGETHER } from "./Folders";
import styles from "./ListHead.module.css";
import type { Mails } from "./useMails";
import { elsewhere, foldersOf, type Place } from "./usePlace";
import type { Folder } from "./words";

interface Props {
  place: Place;
  mails: Mails;
  folders: Folder[];
}

/** What the list shows; where there is no room for the folders, they are chosen here. */
export function ListHead({ place, mails, folders }: Props) {
  const { search, workspaces, workspaceId, go } = place;
  return (
    <div className={styles.listHead}>
      {workspaces.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Workspace"
          data={workspaces}
          value={workspaceId}
          onChange={(event) => go(elsewhere({ workspace: event.currentTarget.value }))}
          className={styles.workspace}
        />
      )}
      <FolderSelect place={place} folders={folders} />
      <div className={styles.count}>
        <Text size="xs" c="dimmed" role="status">
          {mails.items && !mails.error ? countInWords(mails, place) : ""}
        </Text>
        {search.q ? (
          <SegmentedControl
            size="xs"
            aria-label="In which order"
            data={[
              { value: "best", label: "Best" },
              { value: "newest", label: "Newest" },
            ]}
            value={search.order ?? "best"}
            onChange={(order) => go({ order: order === "newest" ? "newest" : undefined })}
          />
        ) : (
          <SegmentedControl
            size="xs"
            aria-label="Which mails"
            data={[
              { value: "all", label: "All" },
              { value: "unread", label: "Unread" },
            ]}
            value={search.unread ? "unread" : "all"}
            onChange={(shown) => go({ unread: shown === "unread" || undefined, mail: undefined })}
          />
        )}
      </div>
    </div>
  );
}

function countInWords({ total, andMore }: Mails, { search, accounts }: Place): string {
  const count = total.toLocaleString("en");
  if (search.q) {
    const account = accounts?.find(({ id }) => id === search.account);
    const where = account ? ` in ${account.label}` : "";
    return `${andMore ? `More than ${count}` : count} found${where}`;
  }
  return total === 1 ? "1 mail" : `${count} mails`;
}

function FolderSelect({ place, folders }: { place: Place; folders: Folder[] }) {
  const { search, accounts = [], go } = place;
  const together = TOGETHER.find(({ to }) => isHere(search, to))?.key;
  const choose = (value: string) => {
    const { workspace } = search;
    const found = TOGETHER.find(({ key }) => key === value);
    const folder = folders.find(({ id }) => id === value);
    if (found) go(elsewhere({ workspace, ...found.to }));
    else if (folder) go(elsewhere({ workspace, account: folder.accountId, folder: folder.id }));
  };
  return (
    <NativeSelect
      size="xs"
      aria-label="Folder"
      className={styles.folderSelect}
      value={search.q ? "" : (together ?? search.folder ?? "")}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        ...(search.q ? [{ value: "", label: "Search" }] : []),
        { group: "All accounts", items: TOGETHER.map(({ key, label }) => ({ value: key, label })) },
        ...accounts.map((account) => ({
          group: account.label,
          items: foldersOf(account, folders).map(({ id, title, unread }) => ({
            value: id,
            label: unread > 0 ? `${title} (${unread})` : title,
          })),
        })),
      ]}
    />
  );
}
