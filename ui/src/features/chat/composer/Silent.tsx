import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";

import styles from "./Composer.module.css";
import type { Session } from "../transcript/useSession";

/** In the place of the box, where one cannot speak: why. */
export function Silent({ session }: { session: Session }) {
  const { agentId, agentName, kind } = session;
  return (
    <div className={styles.bar}>
      <div className={styles.silent}>
        <Text size="sm" c="dimmed">
          {whyNot(session)}
        </Text>
        {kind !== "delegate" && (
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/chat/new" search={{ agent: agentId }} {...props} />}
          >
            New conversation with {agentName}
          </Button>
        )}
      </div>
    </div>
  );
}

function whyNot({ kind, status }: Session): string {
  if (kind === "delegate") return "Another agent leads this session.";
  if (kind === "trial") return "This is a trial: it did nothing, and nobody can speak in it.";
  if (kind === "replay") return "This is a replay: it did nothing, and nobody can speak in it.";
  if (status === "cancelled") return "This session is over.";
  return "Only whoever started it can speak here: it acts in their name.";
}
