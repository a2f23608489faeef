import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import { detailOf } from "@/api/problem";
import { When } from "@/components/When";

import styles from "./Recent.module.css";
import { type Run, type Session, useNewSession } from "./useSession";
import { STATUSES } from "./words";

const QUERY = { PageSize: 12 };

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
      <Menu.Dropdown className={styles.list}>
        <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={start}>
          New session with {agentName}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Recent sessions</Menu.Label>
        {others?.map((one) => <Other key={one.id} session={one} />)}
        {(!others || others.length === 0) && (
          <Menu.Item disabled>
            {recent.error ? detailOf(recent.error) : others ? "There are no others." : "Loading…"}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Other({ session: { id, title, agentName, status, updatedAt } }: { session: Run }) {
  return (
    <Menu.Item component={Link} to={`/sessions/${id}`}>
      <span className={styles.title}>{title || "Nothing was said yet"}</span>
      <Text component="span" size="xs" c="dimmed">
        {agentName} · {STATUSES[status].words} · <When at={updatedAt} />
      </Text>
    </Menu.Item>
  );
}
