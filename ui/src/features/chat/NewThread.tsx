import { Text, Title } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import page from "@/components/Page.module.css";
import { TextLink } from "@/components/TextLink";
import { useTitle } from "@/components/useTitle";
import { useRefresh } from "@/live/useRefresh";

import styles from "./Chat.module.css";
import { Composer, type Speech } from "./composer/Composer";
import type { CommandName } from "./composer/slash";
import { Back } from "./thread/ThreadHeading";
import { assistantOf, useAgents } from "./useAgents";

/** A conversation that begins with the first words. */
export function NewThread({ isIndex }: { isIndex?: boolean }) {
  useTitle("Chat");
  const { agent: asked } = useSearch({ strict: false });
  const agents = useAgents();
  const [chosen, choose] = useState<string>();
  const wanted = chosen ?? asked;
  const agent = agents.find(({ id }) => id === wanted) ?? agents[0];
  const { say, saying } = useBeginning();
  const navigate = useNavigate();
  const command = (name: CommandName) => {
    if (name === "new") void navigate({ to: "/chat/new" });
  };
  return (
    <div className={styles.new}>
      <div className={styles.hello}>
        <Back />
        <Title order={isIndex ? 2 : 1} tabIndex={-1} className={page.heading}>
          New conversation
        </Title>
        <Text c="dimmed">
          {agent ? (
            `Say what ${agent.name} shall do. It begins at once.`
          ) : (
            <>
              There is no agent to talk to yet.{" "}
              <TextLink to="/agents/new" underline="always">
                Make one
              </TextLink>
            </>
          )}
        </Text>
      </div>
      <Composer
        draft="new"
        agent={agent ?? { id: "", name: "" }}
        agents={agents}
        onAgent={choose}
        standing={null}
        begun={false}
        isAtWork={false}
        say={({ assistantId, ...words }) => say(assistantId ?? agent?.id ?? "", words)}
        saying={saying}
        stop={() => {}}
        stopping={false}
        command={command}
      />
    </div>
  );
}

/** What `/chat` shows beside the list. */
export const ChatIndex = () => <NewThread isIndex />;

/** Opens a thread with the first words in it, and goes there. */
function useBeginning() {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const opening = api.useMutation("post", "/api/v1/threads");
  const posting = api.useMutation("post", "/api/v1/threads/{thread_id}/messages");
  const say = async (agent: string, words: Omit<Speech, "assistantId">) => {
    try {
      const header = { "X-Assistant-Id": assistantOf(agent) };
      const { id } = await opening.mutateAsync({ params: { header }, body: {} });
      await posting.mutateAsync({ params: { path: { thread_id: id } }, body: words });
      void refresh("thread");
      void navigate({ to: "/chat/$threadId", params: { threadId: id } });
      return true;
    } catch {
      // What went wrong is told; the words are still in the box.
      return false;
    }
  };
  return { say, saying: opening.isPending || posting.isPending };
}
