import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import {
  IconCheck,
  IconCopy,
  IconDots,
  IconPencil,
  IconQuote,
  IconRefresh,
  IconStar,
  IconStarFilled,
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
  IconTrash,
} from "@tabler/icons-react";
import type { ReactNode } from "react";

import { duration } from "../transcript/calls";
import { count } from "../transcript/words";
import { BranchSwitch } from "./BranchSwitch";
import { EMOJI } from "./emoji";
import styles from "./MessageFooter.module.css";
import { Reactions } from "./Reactions";
import { quoted, type Talk } from "./talk";
import { useMessageVerbs } from "./useMessageVerbs";
import type { ThreadMessage } from "./useThread";

interface Props {
  message: ThreadMessage;
  talk: Talk;
  isLast: boolean;
}

/** Below what a person said. */
export function SaidFooter({ message, talk, isLast }: Props) {
  return (
    <Footer message={message} talk={talk} isLast={isLast}>
      <Copy text={message.content} />
      {talk.verbs && (
        <Deed label="Edit and send anew" onClick={() => talk.edit(message)}>
          <IconPencil size={16} />
        </Deed>
      )}
      <More message={message} talk={talk} />
    </Footer>
  );
}

/** Below what an agent said: what one thinks of it, another try, and what it cost. */
export function AnswerFooter({ message, talk, isLast }: Props) {
  const { verbs, isAtWork } = talk;
  const { has, react } = useMessageVerbs(message);
  const [Up, Down] = [
    has("thumbsup") ? IconThumbUpFilled : IconThumbUp,
    has("thumbsdown") ? IconThumbDownFilled : IconThumbDown,
  ];
  return (
    <Footer message={message} talk={talk} isLast={isLast} told={costOf(message)}>
      <Copy text={message.content} />
      <Deed label="Good answer" on={has("thumbsup")} onClick={() => void react("thumbsup")}>
        <Up size={16} />
      </Deed>
      <Deed label="Bad answer" on={has("thumbsdown")} onClick={() => void react("thumbsdown")}>
        <Down size={16} />
      </Deed>
      {verbs && (
        <Deed
          label="Answer anew"
          disabled={isAtWork}
          onClick={() => void verbs.regenerate(message.id)}
        >
          <IconRefresh size={16} />
        </Deed>
      )}
      <More message={message} talk={talk} />
    </Footer>
  );
}

interface FooterProps extends Props {
  told?: string;
  children: ReactNode;
}

function Footer({ message, talk, isLast, told, children }: FooterProps) {
  return (
    <div className={styles.footer} data-last={isLast || undefined}>
      <BranchSwitch message={message} verbs={talk.verbs} />
      <Reactions message={message} />
      <div className={styles.deeds} role="group" aria-label="With this message">
        {children}
        {message.editedAt && <span className={styles.told}>corrected</span>}
        {told && <span className={styles.told}>{told}</span>}
      </div>
    </div>
  );
}

function More({ message, talk }: Omit<Props, "isLast">) {
  const { react, star, remove } = useMessageVerbs(message);
  const Star = message.isStarred ? IconStarFilled : IconStar;
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <ActionIcon size="sm" variant="subtle" color="gray" aria-label="More with this message">
          {message.isStarred ? <IconStarFilled size={16} /> : <IconDots size={16} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.emoji} role="group" aria-label="React">
          {Object.entries(EMOJI).map(([name, shown]) => (
            <Menu.Item
              key={name}
              aria-label={name.replaceAll("_", " ")}
              onClick={() => void react(name)}
            >
              {shown}
            </Menu.Item>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<Star size={16} />} onClick={star}>
          {message.isStarred ? "Remove the star" : "Star"}
        </Menu.Item>
        {talk.verbs && (
          <Menu.Item
            leftSection={<IconQuote size={16} />}
            onClick={() => talk.quote(quoted(message.content))}
          >
            Quote
          </Menu.Item>
        )}
        {talk.isOwn && (
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            onClick={() => void remove().catch(() => {})}
          >
            Delete its words
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Copy({ text }: { text: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  return (
    <Deed label={copied ? "Copied" : "Copy"} onClick={() => copy(text)}>
      {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </Deed>
  );
}

interface DeedProps {
  label: string;
  on?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Deed({ label, on, disabled, onClick, children }: DeedProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-pressed={on}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** "1,234 tokens · scripted-1 · 3.2 s". */
function costOf({ metadata: { tokensUsed, model, processingTime } }: ThreadMessage): string {
  const parts = [
    typeof tokensUsed === "number" && count(tokensUsed, "token"),
    typeof model === "string" && model,
    typeof processingTime === "number" && duration(processingTime),
  ];
  return parts.filter(Boolean).join(" · ");
}
