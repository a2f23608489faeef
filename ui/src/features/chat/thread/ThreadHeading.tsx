import { ActionIcon, Button, Drawer, Text, Title } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconInfoCircle, IconPinFilled, IconUsers } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";

import page from "@/components/Page.module.css";
import { Tag } from "@/components/StateMark";

import styles from "../Chat.module.css";
import { ThreadMenu } from "../threads/ThreadMenu";
import { About } from "../transcript/About";
import { useModel } from "../transcript/useModel";
import type { Session } from "../transcript/useSession";
import { count } from "../transcript/words";
import type { Thread } from "./useThread";

/** What a conversation is called, who answers in it, and what can be done with it. */
export function ThreadHeading({ thread, session }: { thread: Thread; session?: Session }) {
  const { title, assistantName, pinned, sharedWith, metadata } = thread;
  const model = useModel(session);
  const used = typeof metadata.totalTokensUsed === "number" ? metadata.totalTokensUsed : 0;
  const facts = [
    model ? `${assistantName} with ${model.name}` : assistantName,
    used > 0 && count(used, "token"),
  ];
  return (
    <header className={styles.head}>
      <Back />
      <div className={styles.who}>
        <Title order={1} tabIndex={-1} className={`${page.heading} ${styles.title}`}>
          {pinned && <IconPinFilled size={14} aria-label="Pinned" />} {title}
        </Title>
        <Text c="dimmed" size="sm" component="div" className={styles.facts}>
          <span>{facts.filter(Boolean).join(" · ")}</span>
          {model?.isOffline && <Tag>Works by rules, not AI</Tag>}
          {sharedWith.length > 0 && (
            <span>
              <IconUsers size={14} aria-hidden /> {count(sharedWith.length, "reader")}
            </span>
          )}
        </Text>
      </div>
      {session && <Details session={session} />}
      <ThreadMenu thread={thread} />
    </header>
  );
}

/** On a phone, to the list. */
export function Back() {
  return (
    <ActionIcon
      hiddenFrom="sm"
      variant="subtle"
      color="gray"
      aria-label="Back to the list"
      renderRoot={(props) => <Link to="/chat" {...props} />}
    >
      <IconArrowLeft size={18} />
    </ActionIcon>
  );
}

/** What is so about the session behind a conversation: how it stands, what it used and touched. */
export function Details({ session }: { session: Session }) {
  const [opened, details] = useDisclosure();
  const isPhone = useMediaQuery("(max-width: 48em)");
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<IconInfoCircle size={16} aria-hidden />}
        onClick={details.open}
      >
        Details
      </Button>
      <ActionIcon
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        aria-label="Details"
        onClick={details.open}
      >
        <IconInfoCircle size={18} />
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={details.close}
        title="About this session"
        position={isPhone ? "bottom" : "right"}
        size={isPhone ? "70%" : 340}
        closeButtonProps={{ "aria-label": "Close the details" }}
        attributes={{ header: { role: "presentation" } }}
      >
        <About session={session} />
      </Drawer>
    </>
  );
}
