import { Unfold } from "@/components/Unfold";
import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Conversation.module.css";
import { Sent } from "./Sent";
import type { Message } from "./useSession";

const ROLES: Record<Message["role"], string> = {
  system: "Told",
  user: "Asked, in the prompt",
  assistant: "Answered, in the prompt",
  tool: "A tool answered, in the prompt",
};

/** What the agent knew before anybody spoke: folded, for whoever wants to know why it does what it does. */
export function Told({ messages }: { messages: Message[] }) {
  return (
    <Unfold look="inline" label={<span className={styles.quiet}>What it was told</span>}>
      <div className={styles.inside}>
        {messages.map(({ position, role, content, sent }) => (
          <div key={position}>
            <p className={styles.quiet}>{ROLES[role]}</p>
            <p className={styles.words} dir="auto">
              <Visible>{content}</Visible>
            </p>
            <Sent text={content} sent={sent?.content} />
          </div>
        ))}
      </div>
    </Unfold>
  );
}
