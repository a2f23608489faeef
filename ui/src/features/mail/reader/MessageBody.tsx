import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { useState } from "react";

import { Untrusted } from "@/features/gate/shared/Untrusted";

import styles from "./MessageBody.module.css";
import type { Mail } from "./words";

const LONG = 30_000;
const VIEWS = [
  { value: "page", label: "As sent" },
  { value: "text", label: "Plain text" },
];

/**
 * What the mail says. Its own look is shown in a frame that can run nothing, is of no origin, and loads no pictures
 * from elsewhere unless the reader asks: the server sees to that too. Nobody outside can measure such a frame, so it
 * takes the room that there is and scrolls.
 */
export function MessageBody({ mail }: { mail: Mail }) {
  const [view, setView] = useState(mail.hasHtml ? "page" : "text");
  const [pictures, setPictures] = useState(false);
  const source = `/api/v1/mail/${mail.id}/html${pictures ? "?images=true" : ""}`;
  return (
    <div className={styles.body} data-view={view}>
      {mail.hasHtml && (
        <Group gap="4px 8px" justify="space-between" mb={8}>
          <SegmentedControl
            size="xs"
            aria-label="How the mail is shown"
            data={VIEWS}
            value={view}
            onChange={setView}
          />
          {view === "page" && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconPhoto size={15} />}
              onClick={() => setPictures(!pictures)}
            >
              {pictures ? "Leave the pictures out again" : "Load pictures from elsewhere"}
            </Button>
          )}
          {view === "page" && !pictures && (
            <Text size="xs" c="dimmed" w="100%">
              Pictures from elsewhere are left out: loading them tells the sender that the mail was
              opened.
            </Text>
          )}
        </Group>
      )}
      {view === "page" ? (
        <iframe
          key={source}
          className={styles.frame}
          title="The mail as it was sent"
          src={source}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
        />
      ) : (
        <div className={styles.text}>
          {mail.text ? (
            <Untrusted most={LONG}>{mail.text}</Untrusted>
          ) : (
            <em>The mail has no text.</em>
          )}
        </div>
      )}
    </div>
  );
}
