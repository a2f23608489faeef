import { Anchor, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { detailOf } from "@/api/problem";
import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./CallLine.module.css";
import { Sent } from "./Sent";
import type { Message } from "./useSession";

/** What a tool answered. Where the transcript holds a part only, the whole can be asked for. */
export function Result({ sessionId, message }: { sessionId: string; message: Message }) {
  const [all, setAll] = useState(false);
  const { position, content, isCut, sent } = message;
  const params = { path: { session_id: sessionId }, query: { position } };
  const whole = api.useQuery(
    "get",
    "/api/v1/sessions/{session_id}/content",
    { params, parseAs: "text" },
    { enabled: all, staleTime: Infinity },
  );
  const text = typeof whole.data === "string" ? whole.data : content;
  return (
    <div>
      <p className={styles.name}>What it answered</p>
      <pre className={styles.text} role="region" aria-label="What it answered" tabIndex={0}>
        <Visible>{inLines(text)}</Visible>
      </pre>
      <Sent text={content} sent={sent?.content} />
      {isCut && !all && (
        <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
          Show all of it
        </Anchor>
      )}
      {whole.isLoading && (
        <Text size="sm" c="dimmed" role="status">
          Reading…
        </Text>
      )}
      {whole.error && (
        <Text size="sm" role="alert">
          {detailOf(whole.error)}
        </Text>
      )}
    </div>
  );
}

/** JSON with a line for each value; anything else as it is. */
function inLines(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
