import { ActionIcon, Button, Group, Menu, Tooltip } from "@mantine/core";
import {
  IconArchive,
  IconArrowBackUp,
  IconArrowBackUpDouble,
  IconFlag,
  IconFlagFilled,
} from "@tabler/icons-react";

import { MoreMenu } from "@/components/MoreMenu";

import { Labels } from "./Labels";
import type { Filing } from "./useFiling";
import type { Place } from "./usePlace";
import { type Folder, type Mail, subjectOf } from "./words";

interface Props {
  mail: Mail;
  place: Place;
  filing: Filing;
  folders: Folder[];
  onArchive: () => void;
}

/** What one can do with a mail. */
export function MessageActions({ mail, place, filing, folders, onArchive }: Props) {
  const others = mail.to.length + mail.cc.length > 1;
  const original = (
    <Menu.Item component="a" href={`/api/v1/mail/${mail.id}/raw`} download>
      Download the original
    </Menu.Item>
  );
  if (!place.mayChange(mail))
    return <MoreMenu label={`More for ${subjectOf(mail)}`}>{original}</MoreMenu>;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowBackUp size={15} />}
        onClick={() => place.go({ dialog: "reply" })}
      >
        Reply
      </Button>
      {others && (
        <Tip label="Reply to all">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Reply to all"
            onClick={() => place.go({ dialog: "reply-all" })}
          >
            <IconArrowBackUpDouble size={17} />
          </ActionIcon>
        </Tip>
      )}
      {mail.roles.includes("inbox") && (
        <Tip label="Archive (e)">
          <ActionIcon variant="subtle" color="gray" aria-label="Archive" onClick={onArchive}>
            <IconArchive size={17} />
          </ActionIcon>
        </Tip>
      )}
      <Tip label={mail.flagged ? "Take the flag off" : "Flag"}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Flag"
          aria-pressed={mail.flagged}
          onClick={() => filing.mark(mail, { flagged: !mail.flagged })}
        >
          {mail.flagged ? <IconFlagFilled size={16} /> : <IconFlag size={17} />}
        </ActionIcon>
      </Tip>
      <Labels mail={mail} folders={folders} onSave={(change) => filing.label(mail, change)} />
      <MoreMenu label={`More for ${subjectOf(mail)}`}>
        <Menu.Item onClick={() => filing.mark(mail, { seen: !mail.seen })}>
          Mark as {mail.seen ? "unread" : "read"}
        </Menu.Item>
        {original}
      </MoreMenu>
    </Group>
  );
}

function Tip({ label, children }: { label: string; children: React.ReactElement }) {
  return <Tooltip label={label}>{children}</Tooltip>;
}
