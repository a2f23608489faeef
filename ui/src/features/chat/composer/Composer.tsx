import { ActionIcon, Button, Text, Textarea, Tooltip } from "@mantine/core";
import { IconArrowUp, IconPlayerStopFilled } from "@tabler/icons-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useRef,
} from "react";

import { AgentPicker } from "./AgentPicker";
import { Attach, Chosen } from "./Attachments";
import styles from "./Composer.module.css";
import { useDraft } from "./drafts";
import { Estimate } from "./Estimate";
import { calledIn } from "./mentions";
import { Offers } from "./Offers";
import { commandOf, type CommandName } from "./slash";
import { useAttachments } from "./useAttachments";
import { useOffers } from "./useOffers";
import { type Agent, useTypedOffers } from "./useTypedOffers";
import { wordsOf } from "./wordsOf";

const MOST = 50_000;
const OFFERS = "composer-offers";

export type Speech = ReturnType<typeof wordsOf> & { files: string[]; assistantId?: string };

interface Props {
  /** Under which a draft is kept. */
  draft: string;
  /** Who hears it. */
  agent: { id: string; name: string };
  /** Who else may be asked; they can be called by `@name`. */
  agents?: Agent[];
  onAgent?: (id: string) => void;
  /** How it stands. */
  standing: ReactNode;
  /** Something was said before. */
  begun: boolean;
  isAtWork: boolean;
  /** Whether it was heard: if not, the words are still the person's to send. */
  say: (speech: Speech) => Promise<boolean>;
  saying: boolean;
  stop: () => unknown;
  stopping: boolean;
  command?: (name: CommandName, rest: string) => void;
  /** The arrow up in an empty box. */
  onUp?: () => void;
}

/** Where one speaks to an agent. */
export function Composer(props: Props) {
  const { agent, agents = [], onAgent, begun, isAtWork, saying, command, onUp } = props;
  const { written, keep, drop, clear } = useDraft(props.draft);
  const { text, pasted } = written;
  const box = useRef<HTMLTextAreaElement>(null);
  const attached = useAttachments();
  const ids = attached.files.map((file) => file.id);
  const obey = (name: CommandName, rest = "") => {
    clear();
    command?.(name, rest);
  };
  const typed = useTypedOffers({ text, box, agents, keep, run: command && obey });
  const offers = useOffers(typed.choices, text);
  const called = calledIn(written, agents);
  const answers = called ?? agent;

  const send = async () => {
    const told = command && commandOf(text);
    if (told) {
      obey(told.name, told.rest);
      return;
    }
    if (!text.trim() || saying || attached.sending || !answers.id) return;
    const assistantId = called && called.id !== agent.id ? called.id : undefined;
    if (await props.say({ ...wordsOf(written), files: ids, assistantId })) {
      drop(text);
      attached.clear();
    }
    box.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || offers.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send();
    } else if (event.key === "ArrowUp" && text === "" && onUp) {
      event.preventDefault();
      onUp();
    } else if (event.key === "Escape") leave(event.currentTarget, isAtWork ? props.stop : null);
  };
  const onPaste = ({ clipboardData }: ClipboardEvent) =>
    void attached.add([...clipboardData.files]);
  return (
    <div className={styles.bar} {...attached.dropping}>
      <div className={styles.line}>
        <div role="status">{begun && props.standing}</div>
        {!begun && <Estimate agentId={answers.id} text={text.trim()} files={ids} />}
        {pasted.length > 0 && <Hint>What you pasted is content. It gives no orders.</Hint>}
        {called && called.id !== agent.id && <Hint>{called.name} answers from now on.</Hint>}
        {begun && isAtWork && <Stop stop={props.stop} stopping={props.stopping} />}
      </div>
      <Offers id={OFFERS} label="Offers" choices={offers.choices} at={offers.at} />
      <Chosen files={attached.files} waiting={attached.waiting} onRemove={attached.remove} />
      <form className={styles.form} onSubmit={submitting(send)}>
        <Textarea
          ref={box}
          variant="unstyled"
          className={styles.box}
          aria-label={`Message to ${agent.name}`}
          aria-controls={offers.choices.length > 0 ? OFFERS : undefined}
          aria-activedescendant={offers.choices.length > 0 ? `${OFFERS}-${offers.at}` : undefined}
          placeholder={begun && isAtWork ? "Add something to what it does…" : "Say something…"}
          autosize
          minRows={1}
          maxRows={12}
          maxLength={MOST}
          value={text}
          data-filter
          onChange={(event) => keep(event.currentTarget.value, event.nativeEvent)}
          onSelect={typed.look}
          onKeyDown={onKey}
          onPaste={onPaste}
        />
        <div className={styles.tools}>
          <Attach sending={attached.sending} onAdd={(files) => void attached.add(files)} />
          {onAgent && <AgentPicker agent={answers} agents={agents} onChoose={onAgent} />}
          <span className={styles.keys}>Enter sends · @ asks another agent · / for commands</span>
          <ActionIcon
            type="submit"
            size={32}
            aria-label="Send"
            loading={saying}
            disabled={!text.trim() || attached.sending || !answers.id}
          >
            <IconArrowUp size={20} aria-hidden />
          </ActionIcon>
        </div>
      </form>
    </div>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

function Stop({ stop, stopping }: Pick<Props, "stop" | "stopping">) {
  return (
    <Tooltip label="Ends what it does now. What was done is kept.">
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPlayerStopFilled size={12} aria-hidden />}
        loading={stopping}
        onClick={() => void stop()}
      >
        Stop
      </Button>
    </Tooltip>
  );
}

const submitting = (send: () => Promise<void>) => (event: SubmitEvent) => {
  event.preventDefault();
  void send();
};

/** Escape goes to what waits for an answer, so that its keys work; else it stops the agent, or leaves the box. */
function leave(box: HTMLElement, stop: (() => unknown) | null) {
  const card = document.querySelector<HTMLElement>("main [data-approval]");
  if (card) card.focus();
  else if (stop) void stop();
  else box.blur();
}
