import { Group, Kbd, Modal, Stack, Text, Title } from "@mantine/core";
import { Fragment } from "react";

import styles from "./KeyboardHelp.module.css";
import { KEYS } from "./keys";

/** What the keyboard can do. */
export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard" size="lg">
      <div className={styles.columns}>
        {KEYS.map(({ title, keys }) => (
          <Stack key={title} gap="xs" className={styles.group}>
            <Title order={3}>{title}</Title>
            <dl className={styles.keys}>
              {keys.map((key) => (
                <Fragment key={key.does}>
                  <dt>
                    <Keys {...key} />
                  </dt>
                  <dd>{key.does}</dd>
                </Fragment>
              ))}
            </dl>
          </Stack>
        ))}
      </div>
    </Modal>
  );
}

function Keys({ keys, joined }: { keys: string[]; joined?: "then" }) {
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && (
            <Text span size="xs" c="dimmed">
              {joined ?? "+"}
            </Text>
          )}
          <Kbd size="sm">{key}</Kbd>
        </Fragment>
      ))}
    </Group>
  );
}
