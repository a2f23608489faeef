import { Menu } from "@mantine/core";
import { useMemo } from "react";

import { api } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";
import { Row } from "@/components/Rows";
import { StateMark, Tag } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";
import { isUntrusted } from "@/features/gate/shared/words";
import { useMe } from "@/features/identity/useMe";

import { useMemories } from "./useMemories";
import { LABELS, type Memory, MOVES, nameOf, type Reach, reachOf } from "./words";

/** One memory: what it says, who finds it, and whose words it is. */
export function MemoryRow({ memory, mayWrite }: { memory: Memory; mayWrite: boolean }) {
  const { id, content, tags, label, found, updatedAt } = memory;
  const me = useMe();
  const names = useAgentNames();
  return (
    <Row
      title={
        mayWrite ? (
          <TextLink
            to="."
            search={(before) => ({ ...before, dialog: id })}
            resetScroll={false}
            fw={500}
          >
            <Untrusted most={240} brief>
              {content}
            </Untrusted>
          </TextLink>
        ) : (
          <Untrusted most={240}>{content}</Untrusted>
        )
      }
      marks={
        <>
          {tags.map((tag) => (
            <Tag key={tag}>
              <Visible>{tag}</Visible>
            </Tag>
          ))}
          {isUntrusted(label) && <StateMark state="warning">{LABELS[label]}</StateMark>}
        </>
      }
      meta={[
        reachOf(memory, me.id, names),
        !isUntrusted(label) && LABELS[label],
        found === "meaning" && "found by its meaning",
        <When key="at" at={updatedAt} />,
      ]}
      actions={mayWrite && <Actions memory={memory} />}
    />
  );
}

function useAgentNames(): ReadonlyMap<string, string> {
  const { data } = api.useQuery("get", "/api/v1/agents");
  return useMemo(() => new Map(data?.items.map(({ id, name }) => [id, name])), [data]);
}

function Actions({ memory }: { memory: Memory }) {
  const { move, forget } = useMemories();
  const others = (Object.keys(MOVES) as Reach[]).filter((reach) => reach !== memory.reach);
  return (
    <MoreMenu label={`More for ${nameOf(memory)}`}>
      {others.map((reach) => (
        <Menu.Item key={reach} onClick={() => void move(memory, reach)}>
          {MOVES[reach].verb}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => void forget(memory)}>Forget</Menu.Item>
    </MoreMenu>
  );
}
