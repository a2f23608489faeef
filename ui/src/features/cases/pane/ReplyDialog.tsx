import { useQuery } from "@tanstack/react-query";

import { Composer } from "@/features/mail/reader/compose/Composer";
import { oneMail } from "@/features/mail/reader/useFiling";

import { bytesOf } from "../preview/content";
import { ofPage, plain } from "../preview/plain";
import { type Case, type Item, shapeOf } from "../words";
import { useMay } from "./useMay";

interface Props {
  one: Case;
  item: Item;
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** An item as an answer to the mail: it can be changed first, and goes out as any letter does. */
export function ReplyDialog({ one, item, opened, onOpen, onClose }: Props) {
  const mail = useQuery({ ...oneMail(one.mail.id), enabled: opened }).data;
  const text = usePlainText(item, opened);
  const may = useMay();
  return (
    <Composer
      kind={opened && text !== undefined ? "reply" : null}
      mail={mail}
      workspaceId={one.workspaceId}
      accounts={may.accounts(one)}
      from={{ id: item.id, text: text ?? "" }}
      onOpen={onOpen}
      onClose={onClose}
    />
  );
}

/** What an item says, as it can stand in a plain mail. */
function usePlainText(item: Item, wanted: boolean): string | undefined {
  const shape = shapeOf(item);
  const page = useQuery({ ...bytesOf(item), enabled: wanted && shape === "html" }).data;
  if (shape === "html") return page && ofPage(new TextDecoder().decode(page));
  return shape === "markdown" ? plain(item.data ?? "") : (item.data ?? "");
}
