import { NavLink, Text, VisuallyHidden } from "@mantine/core";
import {
  IconArchive,
  IconFlag,
  IconFolder,
  IconInbox,
  IconMailOff,
  IconPencil,
  IconSend,
  IconStack2,
  IconTag,
  IconTrash,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ComponentType } from "react";

import { TextLink } from "@/components/TextLink";

import styles from "./Folders.module.css";
import { elsewhere, foldersOf, type Place, type Sought } from "./usePlace";
import type { Account, Folder, Role } from "./words";

type Icon = ComponentType<{ size?: number; stroke?: number }>;

const ICONS: Record<Role, Icon> = {
  inbox: IconInbox,
  flagged: IconFlag,
  sent: IconSend,
  drafts: IconPencil,
  archive: IconArchive,
  all: IconStack2,
  junk: IconMailOff,
  trash: IconTrash,
};

/** Lists that go across all accounts. */
export const TOGETHER: { label: string; icon: Icon; to: Sought; key: string }[] = [
  { key: "inbox", label: "Inbox", icon: IconInbox, to: {} },
  { key: "flagged", label: "Flagged", icon: IconFlag, to: { role: "flagged" } },
  { key: "everything", label: "Everything", icon: IconStack2, to: { role: "everything" } },
];

/** Which of the lists one is in. */
export function isHere(search: Sought, to: Sought): boolean {
  if (search.q) return false;
  return search.folder === to.folder && (to.folder !== undefined || search.role === to.role);
}

interface Props {
  place: Place;
  folders: Folder[];
}

/** Accounts and their folders. */
export function Folders({ place, folders }: Props) {
  const { search, accounts = [] } = place;
  const unread = folders
    .filter(({ role }) => role === "inbox")
    .reduce((sum, folder) => sum + folder.unread, 0);
  return (
    <nav aria-label="Folders" className={styles.folders}>
      {TOGETHER.map(({ key, label, icon, to }) => (
        <FolderLink
          key={key}
          label={label}
          icon={icon}
          to={to}
          isHere={isHere(search, to)}
          unread={key === "inbox" ? unread : 0}
        />
      ))}
      {accounts.map((account) => (
        <AccountFolders key={account.id} account={account} folders={folders} search={search} />
      ))}
    </nav>
  );
}

function AccountFolders(props: { account: Account; folders: Folder[]; search: Sought }) {
  const { account, folders, search } = props;
  return (
    <div className={styles.account}>
      <Text size="xs" c="dimmed" fw={600} px={10} mb={4} title={account.address} truncate>
        {account.label}
      </Text>
      {account.problem && (
        <Text size="xs" px={10} mb={4}>
          Does not work at present. <TextLink to="/settings/accounts">See why</TextLink>
        </Text>
      )}
      {foldersOf(account, folders).map((folder) => (
        <FolderLink
          key={folder.id}
          label={folder.title}
          icon={iconOf(folder)}
          to={{ account: account.id, folder: folder.id }}
          isHere={isHere(search, { folder: folder.id })}
          unread={folder.role === "trash" || folder.role === "junk" ? 0 : folder.unread}
        />
      ))}
    </div>
  );
}

function iconOf({ role, kind }: Folder): Icon {
  if (role) return ICONS[role];
  return kind === "label" ? IconTag : IconFolder;
}

interface LinkProps {
  label: string;
  icon: Icon;
  to: Sought;
  isHere: boolean;
  unread: number;
}

function FolderLink({ label, icon: Icon, to, isHere: here, unread }: LinkProps) {
  return (
    <NavLink
      renderRoot={(props) => (
        <Link
          to="/mail"
          search={({ workspace }) => elsewhere({ workspace, ...to })}
          activeOptions={{ exact: true }}
          {...props}
        />
      )}
      label={<span className={styles.folder}>{label}</span>}
      active={here}
      aria-current={here ? "page" : undefined}
      leftSection={<Icon size={16} stroke={1.6} />}
      rightSection={
        unread > 0 && (
          <span className={styles.unread}>
            {unread}
            <VisuallyHidden> unread</VisuallyHidden>
          </span>
        )
      }
      className={styles.place}
    />
  );
}
