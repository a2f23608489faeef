import {
  IconDatabaseExport,
  IconKey,
  IconMail,
  IconPlugConnected,
  IconUserPlus,
  IconUsersGroup,
} from "@tabler/icons-react";

import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { TextLink } from "@/components/TextLink";

const STEPS = [
  {
    to: "/settings/accounts",
    title: "Connect a mailbox",
    detail: "Read, search and answer mail here, and let agents take care of it",
    search: {},
    icon: IconMail,
    forAdmins: false,
  },
  {
    to: "/settings/clients",
    title: "Connect an agent",
    detail: "Claude, Cursor and others work here, through the gate",
    search: { dialog: "new" },
    icon: IconPlugConnected,
    forAdmins: false,
  },
  {
    to: "/settings/users",
    title: "Invite someone",
    detail: "Make a link that lets a person in",
    search: { dialog: "new" },
    icon: IconUserPlus,
    forAdmins: true,
  },
  {
    to: "/settings/backups",
    title: "Make a backup",
    detail: "One file holds everything",
    search: { dialog: "new" },
    icon: IconDatabaseExport,
    forAdmins: true,
  },
  {
    to: "/settings/tokens",
    title: "Make an API token",
    detail: "For scripts and other programs",
    search: { dialog: "new" },
    icon: IconKey,
    forAdmins: false,
  },
  {
    to: "/settings/workspaces",
    title: "Open your workspaces",
    detail: "Who is in them, and who may do what",
    search: {},
    icon: IconUsersGroup,
    forAdmins: false,
  },
] as const;

export function NextSteps({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Section title="Next steps">
      <Rows label="Next steps">
        {STEPS.filter(({ forAdmins }) => isAdmin || !forAdmins).map(
          ({ to, search, title, detail, icon: Icon }) => (
            <Row
              key={to}
              leading={
                <Icon size={20} stroke={1.6} aria-hidden color="var(--mantine-color-dimmed)" />
              }
              title={
                <TextLink to={to} search={search} fw={500}>
                  {title}
                </TextLink>
              }
              meta={[detail]}
            />
          ),
        )}
      </Rows>
    </Section>
  );
}
