import type { Schemas } from "@/api/client";

export type Line = Schemas["MailLineOut"];
export type Hit = Schemas["MailHitOut"];
export type Mail = Schemas["MailOut"];
export type Folder = Schemas["MailFolderOut"];
export type Account = Schemas["AccountOut"];
export type Role = Line["roles"][number];

/** The kinds of folders, in the order in which people look at them. */
export const ROLES: [role: Role, name: string][] = [
  ["inbox", "Inbox"],
  ["flagged", "Flagged"],
  ["sent", "Sent"],
  ["drafts", "Drafts"],
  ["archive", "Archive"],
  ["all", "All mail"],
  ["junk", "Junk"],
  ["trash", "Trash"],
];

const ORDER = new Map(ROLES.map(([role], place) => [role, place]));

/** The ones everybody knows first, then others by name, then labels. */
export function inOrder(folders: Folder[]): Folder[] {
  const rank = ({ role, kind }: Folder) =>
    role ? (ORDER.get(role) ?? 50) : kind === "label" ? 200 : 100;
  return folders.toSorted(
    (one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title),
  );
}

export const senderOf = ({ sender }: Pick<Line, "sender">) =>
  sender.name || sender.address || "Nobody";

export const subjectOf = ({ subject }: Pick<Line, "subject">) => subject || "No subject";

const hours = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false });
const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const years = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "short",
  hour12: false,
});

/** The hour of what came today, the day of what came before. */
export function shortTime(at: string, now = new Date()): string {
  const moment = new Date(at);
  if (moment.toDateString() === now.toDateString()) return hours.format(moment);
  return (moment.getFullYear() === now.getFullYear() ? days : years).format(moment);
}

export const exactTime = (at: string) => exact.format(new Date(at));

/** "3 kB", "1.2 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const DMARC: Record<Mail["dmarc"], string> = {
  pass: "The receiving server proved who sent it",
  fail: "The receiving server found that it may be forged",
  none: "The sender's domain does not say how to check it",
  unknown: "Nobody checked who sent it",
};
