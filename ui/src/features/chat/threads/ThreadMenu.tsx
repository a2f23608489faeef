import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconArrowBackUp,
  IconDownload,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconShare,
  IconTrash,
} from "@tabler/icons-react";

import { MoreMenu } from "@/components/MoreMenu";

import type { Thread } from "../thread/useThread";
import { NameDialog } from "./NameDialog";
import { ShareDialog } from "./ShareDialog";
import { useThreadDeeds } from "./useThreadDeeds";

/** The "…" of a conversation. */
export function ThreadMenu({ thread }: { thread: Thread }) {
  const { title, isOwn, pinned, status } = thread;
  const [naming, name] = useDisclosure();
  const [sharing, share] = useDisclosure();
  const { pin, archive, restore, remove, save } = useThreadDeeds(thread);
  const isActive = status === "active";
  return (
    <>
      <MoreMenu label={`More about ${title}`}>
        {isOwn && isActive && (
          <>
            <Menu.Item
              leftSection={pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
              onClick={pin}
            >
              {pinned ? "Take the pin away" : "Pin to the top"}
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={name.open}>
              Name and tags
            </Menu.Item>
            <Menu.Item leftSection={<IconShare size={16} />} onClick={share.open}>
              Share
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => save("markdown")}>
          Save as markdown
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => save("json")}>
          Save as JSON
        </Menu.Item>
        {isOwn && <Menu.Divider />}
        {isOwn && !isActive && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={restore}>
            Bring it back
          </Menu.Item>
        )}
        {isOwn && isActive && (
          <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => void archive()}>
            Archive
          </Menu.Item>
        )}
        {isOwn && status !== "deleted" && (
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => void remove()}>
            Delete
          </Menu.Item>
        )}
      </MoreMenu>
      <NameDialog thread={thread} opened={naming} onClose={name.close} />
      <ShareDialog thread={thread} opened={sharing} onClose={share.close} />
    </>
  );
}
