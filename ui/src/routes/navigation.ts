import {
  IconActivity,
  IconAddressBook,
  IconApi,
  IconAt,
  IconBell,
  IconBrowser,
  IconBuilding,
  IconBulb,
  IconChecklist,
  IconClipboardText,
  IconCpu,
  IconDatabaseExport,
  IconEyeOff,
  IconFiles,
  IconFilter,
  IconFolders,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconListCheck,
  IconLogin2,
  IconMail,
  IconMessage2Code,
  IconMessages,
  IconPlug,
  IconPlugConnected,
  IconRobot,
  IconRoute,
  IconScript,
  IconSend,
  IconSettings,
  IconShieldCheck,
  IconStethoscope,
  IconTimeline,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import type { ComponentType } from "react";

import { useWaiting } from "@/features/gate/approvals/useWaiting";
import { usePending } from "@/features/inbox/usePending";
import { useUndecided } from "@/features/mail/outbox/useOutgoing";

export interface Place {
  to: LinkProps["to"];
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
  group: string;
  /** After `g`, goes there. */
  key?: string;
  /** Other words by which one may look for it. */
  words?: string;
  forAdmins?: boolean;
  /** How much waits there. */
  useCount?: () => number;
}

const GATE = { group: "Gate" };
const MAIL = { group: "Mail" };

/** The pages of the product, in the order of the navigation. A page that exists has one line here. */
export const PLACES: Place[] = [
  { to: "/", label: "Home", icon: IconHome, group: "", key: "h", words: "status check-up start" },
  {
    ...GATE,
    to: "/approvals",
    label: "Approvals",
    icon: IconChecklist,
    key: "a",
    words: "waiting allow deny questions queue",
    useCount: useWaiting,
  },
  {
    ...GATE,
    to: "/activity",
    label: "Activity",
    icon: IconTimeline,
    key: "y",
    words: "done actions undo agents history",
  },
  {
    ...GATE,
    to: "/policies",
    label: "Policies",
    icon: IconShieldCheck,
    key: "p",
    words: "rules allow block ask conditions",
  },
  {
    ...GATE,
    to: "/redaction",
    label: "Redaction",
    icon: IconEyeOff,
    key: "r",
    words: "patterns secrets personal data hide",
  },
  {
    ...GATE,
    to: "/audit",
    label: "Audit",
    icon: IconScript,
    key: "u",
    words: "log record verify calls export",
  },
  {
    ...MAIL,
    to: "/mail",
    label: "Mail",
    icon: IconMail,
    key: "m",
    words: "inbox messages letters read search reply send email",
  },
  {
    ...MAIL,
    to: "/results",
    label: "Results",
    icon: IconClipboardText,
    key: "c",
    words: "cases items drafts replies summaries directors made done failed",
  },
  {
    ...MAIL,
    to: "/mail/filters",
    label: "Filters",
    icon: IconFilter,
    key: "f",
    words: "route directors regular expressions patterns",
  },
  {
    ...MAIL,
    to: "/mail/outbox",
    label: "Outbox",
    icon: IconSend,
    key: "o",
    words: "sending held sent take back undo queue failed",
    useCount: useUndecided,
  },
  {
    ...MAIL,
    to: "/mail/contacts",
    label: "Address book",
    icon: IconAddressBook,
    key: "b",
    words: "contacts people known strangers vcard import",
  },
  {
    group: "Library",
    to: "/inbox",
    label: "Inbox",
    icon: IconInbox,
    key: "i",
    words: "papers files organiser suggestions move folders guideline arrived",
    useCount: usePending,
  },
  {
    group: "Library",
    to: "/library",
    label: "Library",
    icon: IconFiles,
    key: "l",
    words: "files folders notebooks documents papers upload versions properties",
  },
  {
    group: "Agents",
    to: "/chat",
    label: "Chat",
    icon: IconMessages,
    key: "d",
    words: "talk conversations threads sessions ask assistant messages",
  },
  {
    group: "Agents",
    to: "/agents",
    label: "Agents",
    icon: IconRobot,
    key: "g",
    words: "workers assistants directors presets scope talk",
  },
  {
    group: "Agents",
    to: "/runs",
    label: "Runs",
    icon: IconRoute,
    key: "n",
    words: "steps timeline replay retry compare live tokens money",
  },
  {
    group: "Agents",
    to: "/tasks",
    label: "Tasks",
    icon: IconListCheck,
    key: "t",
    words: "todo queue schedules cron assign give",
  },
  {
    group: "Agents",
    to: "/prompts",
    label: "Prompts",
    icon: IconMessage2Code,
    key: "w",
    words: "templates presets imprint messages variables write",
  },
  {
    group: "Agents",
    to: "/memory",
    label: "Memory",
    icon: IconBulb,
    key: "e",
    words: "memories remember notes recall know",
  },
  { to: "/settings", label: "Settings", icon: IconSettings, group: "Office", key: "s" },
];

const YOU = { group: "You" };
const OFFICE = { group: "This office", forAdmins: true };

/** The pages under /settings. */
export const SETTINGS: Place[] = [
  {
    ...YOU,
    to: "/settings/profile",
    label: "Profile",
    icon: IconUser,
    words: "name picture avatar password",
  },
  {
    ...YOU,
    to: "/settings/sessions",
    label: "Sessions",
    icon: IconBrowser,
    words: "browsers devices log out",
  },
  {
    ...YOU,
    to: "/settings/notifications",
    label: "Notifications",
    icon: IconBell,
    words: "desktop browser alerts notify cases done failed",
  },
  {
    ...YOU,
    to: "/settings/tokens",
    label: "API tokens",
    icon: IconKey,
    words: "keys programs scripts",
  },
  {
    ...YOU,
    to: "/docs",
    label: "API reference",
    icon: IconApi,
    words: "swagger openapi operations documentation developers",
  },
  {
    ...YOU,
    to: "/settings/accounts",
    label: "Accounts",
    icon: IconAt,
    words: "mail mailbox gmail google imap connect provider fetch signature",
  },
  {
    ...YOU,
    to: "/settings/workspaces",
    label: "Workspaces",
    icon: IconUsersGroup,
    words: "members teams",
  },
  {
    ...YOU,
    to: "/settings/clients",
    label: "MCP clients",
    icon: IconPlugConnected,
    words: "agents claude cursor connect programs",
  },
  {
    ...YOU,
    to: "/settings/folders",
    label: "Folders",
    icon: IconFolders,
    words: "notebooks files disk",
  },
  {
    ...OFFICE,
    to: "/settings/models",
    label: "Models",
    icon: IconCpu,
    words: "openai anthropic google azure bedrock mistral ollama keys prices spend cost llm",
    // Everyone sees them; admins change them.
    forAdmins: false,
  },
  {
    ...OFFICE,
    to: "/settings/connectors",
    label: "Connectors",
    icon: IconPlug,
    words: "gmail imap plugins oauth client id hosts",
  },
  {
    ...OFFICE,
    to: "/settings/users",
    label: "Users",
    icon: IconUsers,
    words: "people invitations roles",
  },
  {
    ...OFFICE,
    to: "/settings/providers",
    label: "Log-in providers",
    icon: IconLogin2,
    words: "google oidc sso openid",
  },
  {
    ...OFFICE,
    to: "/settings/office",
    label: "Office",
    icon: IconBuilding,
    words: "name limits options",
  },
  {
    ...OFFICE,
    to: "/settings/webhooks",
    label: "Webhooks",
    icon: IconWebhook,
    words: "deliveries events callbacks",
  },
  {
    ...OFFICE,
    to: "/settings/backups",
    label: "Backups and keys",
    icon: IconDatabaseExport,
    words: "restore vault rotate schedule",
  },
  {
    ...OFFICE,
    to: "/settings/changes",
    label: "Change record",
    icon: IconHistory,
    words: "changes history audit log",
  },
  {
    ...OFFICE,
    to: "/settings/diagnostics",
    label: "Diagnostics",
    icon: IconStethoscope,
    words: "debug traces cycles directors tool calls provider events runtime",
  },
  {
    ...OFFICE,
    to: "/settings/sign-ins",
    label: "Sign-ins",
    icon: IconActivity,
    words: "log-in attempts refused",
  },
];

/** Places in their groups, in order; the ones for admins only for admins. */
export function grouped(places: Place[], isAdmin: boolean): [group: string, places: Place[]][] {
  const shown = places.filter(({ forAdmins }) => isAdmin || !forAdmins);
  const groups = new Map<string, Place[]>();
  for (const place of shown) groups.set(place.group, [...(groups.get(place.group) ?? []), place]);
  return [...groups];
}
