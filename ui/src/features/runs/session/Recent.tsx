import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import { detailOf } from "@/api/problem";
import { When } from "@/components/When";

import { STATUSES, titleOf } from "../list/words";
import styles from "./Recent.module.css";
import { type Run, type Session, useNewSession } from "./useSession";

// As many as fit a phone without a menu that scrolls.
const QUERY = { PageSize: 8 };

/** From one conversation to another, or to a new one. */
export function Recent({ session: { id, agentId, agentName } }: { session: Session }) {
  const [opened, setOpened] = useState(false);
  const recent = api.useQuery(
    "get",
    "/api/v1/sessions",
    { params: { query: QUERY } },
    { enabled: opened },
  );
  const { start, starting } = useNewSession(agentId);
  const others = recent.data?.items.filter((one) => one.id !== id);
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={320}
      classNames={{ itemLabel: styles.label }}
    >
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          loading={starting}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Sessions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={start}>
          New session with {agentName}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Recent sessions</Menu.Label>
        {others?.map((one) => (
          <Other key={one.id} session={one} />
        ))}
        {(!others || others.length === 0) && (
          <Menu.Item disabled>
            {recent.error ? detailOf(recent.error) : others ? "There are no others." : "Loading…"}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Other({ session }: { session: Run }) {
  const { id, agentName, status, updatedAt } = session;
  return (
    <Menu.Item component={Link} to={`/sessions/${id}`}>
      <span className={styles.title}>{titleOf(session)}</span>
      <Text component="span" size="xs" c="dimmed">
        {agentName} · {STATUSES[status].words} · <When at={updatedAt} />
      </Text>
    </Menu.Item>
  );
}
