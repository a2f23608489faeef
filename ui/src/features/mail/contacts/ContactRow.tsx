import { Menu } from "@mantine/core";

import { MoreMenu } from "@/components/MoreMenu";
import { Row } from "@/components/Rows";
import { Tag } from "@/components/StateMark";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import type { Contact } from "./useContacts";

interface Props {
  contact: Contact;
  mayWrite: boolean;
  onRename: () => void;
  onRemove: () => void;
}

/** Someone whom the workspace knows, and why. */
export function ContactRow({ contact, mayWrite, onRename, onRemove }: Props) {
  const { name, address, listed, sentCount, lastSentAt } = contact;
  return (
    <Row
      title={<Untrusted most={200}>{name || address}</Untrusted>}
      marks={!listed && <Tag>from mail that was sent</Tag>}
      meta={[
        name && address,
        sentCount > 0 && `written to ${sentCount === 1 ? "once" : `${sentCount} times`}`,
        lastSentAt && <When at={lastSentAt} prefix="last" />,
      ]}
      actions={
        mayWrite && (
          <MoreMenu label={`More for ${name || address}`}>
            <Menu.Item onClick={onRename}>Rename</Menu.Item>
            <Menu.Item onClick={onRemove}>Remove</Menu.Item>
          </MoreMenu>
        )
      }
    />
  );
}
