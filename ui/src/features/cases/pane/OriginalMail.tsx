import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { isGone } from "@/api/problem";
import { Loaded, Loading } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { Attachments } from "@/features/mail/reader/Attachments";
import { MessageBody } from "@/features/mail/reader/MessageBody";
import { MessageHead } from "@/features/mail/reader/MessageHead";
import { oneMail } from "@/features/mail/reader/useFiling";

import styles from "./Pane.module.css";

/** The mail that it is all about, as it came. */
export function OriginalMail({ id }: { id: string }) {
  const mail = useQuery(oneMail(id));
  return (
    <aside className={styles.beside} aria-label="The mail">
      {isGone(mail.error) ? (
        <Text size="sm" c="dimmed">
          The mail is not there any more. What came of it is kept.
        </Text>
      ) : (
        <Loaded query={mail} loading={<Loading rows={1} />}>
          {(found) => (
            <div className={styles.part} key={found.id}>
              <MessageHead mail={found} account={undefined}>
                <TextLink to="/mail" search={{ mail: found.id }} size="sm">
                  Open in Mail
                </TextLink>
              </MessageHead>
              <Attachments mail={found} />
              <MessageBody mail={found} />
            </div>
          )}
        </Loaded>
      )}
    </aside>
  );
}
