import { Button, Text } from "@mantine/core";

import { Untrusted } from "@/features/gate/shared/Untrusted";

import styles from "./Conversation.module.css";
import { type Session, useSessionVerbs } from "./useSession";
import { standing } from "./words";

/** Why it ended before it was done, and how it goes on. */
export function Ending({ session }: { session: Session }) {
  const { id, status, errorMessage, canSpeak } = session;
  const { goOn, goingOn } = useSessionVerbs(id);
  if (status !== "failed" && status !== "expired" && status !== "cancelled") return null;
  return (
    <div className={styles.inside}>
      <div>
        <Text fw={500}>{standing(session).words}</Text>
        {errorMessage && (
          <Text size="sm" component="div">
            <Untrusted>{errorMessage}</Untrusted>
          </Text>
        )}
        <Text size="sm" c="dimmed">
          What was done before is kept.
        </Text>
      </div>
      {status !== "cancelled" && canSpeak && (
        <Button size="xs" w="fit-content" loading={goingOn} onClick={goOn}>
          Go on
        </Button>
      )}
    </div>
  );
}
