import { Button } from "@mantine/core";
import { IconArrowBackUp, IconCopy, IconDownload, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";

import { Empty, Loaded, Loading } from "@/components/states";
import { notify } from "@/components/notify";
import { Tag } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";
import { LABELS } from "@/features/gate/shared/words";
import { usePageKeys } from "@/keyboard/pageKeys";
import { useDialog } from "@/routes/useDialog";

import { ItemDialog } from "../edit/ItemDialog";
import { contentOf } from "../preview/content";
import { Preview } from "../preview/Preview";
import { oneCase, oneItem } from "../useCases";
import { toCase, toMail } from "../useSought";
import { Versions } from "../versions/Versions";
import {
  authorInWords,
  type Case,
  isText,
  type Item,
  shapeInWords,
  shapeOf,
  subjectOf,
  titleOf,
} from "../words";
import { DeleteButton, MailButton } from "./buttons";
import { Chain } from "./Chain";
import { Head } from "./Head";
import type { PaneProps } from "./Pane";
import { ReplyDialog } from "./ReplyDialog";
import { useMay } from "./useMay";

type Props = PaneProps & { caseId: string; id: string };

/** One item as what it is, where it comes from, and what can be done with it. */
export function ItemView({ caseId, id, ...pane }: Props) {
  const one = useQuery(oneCase(caseId));
  const item = useQuery(oneItem(caseId, id));
  return (
    <Loaded query={one} loading={<Loading rows={2} />}>
      {(found) => (
        <Loaded query={item} loading={<Loading rows={2} />}>
          {(shown) =>
            shown.deleted ? (
              <Empty title="This item was removed">Undoing the removal brings it back.</Empty>
            ) : (
              <Opened key={shown.id} one={found} item={shown} {...pane} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

function Opened({ one, item, mail, onMail, onRemove }: PaneProps & { one: Case; item: Item }) {
  const may = useMay();
  const [editing, edit] = useDialog("edit");
  const [replying, reply] = useDialog("reply");
  const mayEdit = may.edit(one);
  const mayReply = isText(item) && may.reply(one);
  const copy = () => void copied(item);
  useItemKeys({
    c: () => isText(item) && copy(),
    r: () => mayReply && reply.open(),
    e: () => mayEdit && edit.open(),
  });
  return (
    <>
      <Head
        title={<Untrusted most={200}>{titleOf(item)}</Untrusted>}
        above={<Path one={one} />}
        actions={
          <>
            {mayReply && (
              <Button
                size="compact-sm"
                variant={isLetter(item) ? "filled" : "default"}
                leftSection={<IconArrowBackUp size={15} />}
                onClick={reply.open}
              >
                Send as reply
              </Button>
            )}
            {isText(item) && (
              <Quiet icon={IconCopy} onClick={copy}>
                Copy
              </Quiet>
            )}
            {mayEdit && (
              <Quiet icon={IconPencil} onClick={edit.open}>
                Edit
              </Quiet>
            )}
            <Button
              component="a"
              href={`${contentOf(item)}?download=true`}
              download
              size="compact-sm"
              variant="default"
              leftSection={<IconDownload size={15} />}
            >
              Download
            </Button>
            <MailButton shown={mail} onClick={onMail} />
            {mayEdit && <DeleteButton label="Remove" onClick={() => onRemove(item)} />}
          </>
        }
      >
        <span>
          By <Visible>{authorInWords(item)}</Visible>, <When at={item.updated} />
        </span>
        <Tag>{shapeInWords(item)}</Tag>
        <Tag>{LABELS[item.trust]}</Tag>
        {item.unfinished && <Tag>from work that was not finished</Tag>}
        {item.revision > 1 && <Tag>revision {item.revision}</Tag>}
        {item.tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        {item.context.conversationId && (
          <TextLink to="/runs/$runId" params={{ runId: item.context.conversationId }} size="sm">
            Its run
          </TextLink>
        )}
      </Head>
      {item.description && <Untrusted most={600}>{item.description}</Untrusted>}
      <Chain item={item} />
      <Preview item={item} />
      {item.revision > 1 && <Versions item={item} mayEdit={mayEdit} />}
      <ItemDialog caseId={one.id} item={item} opened={editing} onClose={edit.close} />
      {mayReply && (
        <ReplyDialog
          one={one}
          item={item}
          opened={replying}
          onOpen={reply.open}
          onClose={reply.close}
        />
      )}
    </>
  );
}

function Path({ one }: { one: Case }) {
  return (
    <>
      <TextLink
        to="/results"
        search={(before) => ({ ...before, ...toMail(one.mail.id) })}
        size="sm"
      >
        <Visible>{subjectOf(one)}</Visible>
      </TextLink>
      <span aria-hidden>›</span>
      <TextLink to="/results" search={(before) => ({ ...before, ...toCase(one.id) })} size="sm">
        {one.directorName}
      </TextLink>
    </>
  );
}

/** What someone would send as it is; data and tables are sent seldom. */
const isLetter = (item: Item) => ["markdown", "text", "html"].includes(shapeOf(item));

interface QuietProps {
  icon: typeof IconCopy;
  onClick: () => void;
  children: string;
}

function Quiet({ icon: Icon, onClick, children }: QuietProps) {
  return (
    <Button size="compact-sm" variant="default" leftSection={<Icon size={15} />} onClick={onClick}>
      {children}
    </Button>
  );
}

async function copied(item: Item) {
  const { clipboard } = navigator as Partial<Pick<Navigator, "clipboard">>;
  try {
    if (!clipboard) throw new Error("no clipboard");
    await clipboard.writeText(item.data ?? "");
    notify.done(`“${titleOf(item)}” is copied.`);
  } catch {
    notify.failed("The browser does not let this page copy. Mark the text and copy it yourself.");
  }
}

/** Keys of an item; what they do may change, the table may not. */
function useItemKeys(keys: Record<"c" | "r" | "e", () => unknown>) {
  const latest = useRef(keys);
  latest.current = keys;
  const bound = useMemo(
    () => ({
      c: () => void latest.current.c(),
      r: () => void latest.current.r(),
      e: () => void latest.current.e(),
    }),
    [],
  );
  usePageKeys(bound);
}
