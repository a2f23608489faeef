import { Button, Drawer, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconInfoCircle } from "@tabler/icons-react";

import page from "@/components/Page.module.css";
import { Tag } from "@/components/StateMark";

import { About } from "./About";
import { Recent } from "./Recent";
import styles from "./Session.module.css";
import { useModel } from "./useModel";
import type { Session } from "./useSession";

/** Who one talks to, and what is behind it. */
export function Heading({ session }: { session: Session }) {
  const [opened, details] = useDisclosure();
  const model = useModel(session);
  return (
    <div className={styles.head}>
      <div className={styles.who}>
        <div className={styles.name}>
          <Title order={1} tabIndex={-1} className={page.heading}>
            {session.agentName}
          </Title>
          {model?.isOffline && <Tag>Works by rules, not AI</Tag>}
        </div>
        <Text c="dimmed" size="sm">
          {model ? `with ${model.name}` : "\u00a0"}
        </Text>
      </div>
      <div className={styles.buttons}>
        <Button
          className={styles.details}
          variant="default"
          size="xs"
          leftSection={<IconInfoCircle size={16} aria-hidden />}
          onClick={details.open}
        >
          Details
        </Button>
        <Recent session={session} />
      </div>
      <Drawer
        opened={opened}
        onClose={details.close}
        title="About this session"
        position="bottom"
        size="70%"
        closeButtonProps={{ "aria-label": "Close the details" }}
        attributes={{ header: { role: "presentation" } }}
      >
        <About session={session} />
      </Drawer>
    </div>
  );
}
