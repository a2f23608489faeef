import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";

import { isGone } from "@/api/problem";
import { Failed, Loading } from "@/components/states";
import { useTitle } from "@/components/useTitle";
import { useAnswerKeys } from "@/features/gate/approvals/useAnswerKeys";
import { focusFilter } from "@/keyboard/focus";

import styles from "../Chat.module.css";
import { Composer, type Speech } from "../composer/Composer";
import composer from "../composer/Composer.module.css";
import { useDraft } from "../composer/drafts";
import type { CommandName } from "../composer/slash";
import { agentOf, assistantOf, useAgents } from "../useAgents";
import { Standing } from "../transcript/Standing";
import { Announced } from "./Announced";
import { LineList } from "./LineList";
import { Tail } from "./Tail";
import type { Talk } from "./talk";
import { ThreadHeading } from "./ThreadHeading";
import { ThreadLine } from "./ThreadLine";
import { isAtWork, type Thread, threadReading, useLines, useThreadVerbs } from "./useThread";
import { useThreadDeeds } from "../threads/useThreadDeeds";

const NOBODY = { first: "", later: "" };

/** One conversation: what was said and done, and a place to speak. */
export function ThreadPage() {
  const { threadId } = useParams({ from: "/shell/chat/$threadId" });
  const thread = useQuery(threadReading(threadId));
  const { data, error, refetch } = thread;
  if (data && !isGone(error)) return <Opened key={data.id} thread={data} />;
  return (
    <div className={styles.inset}>
      {error ? <Failed error={error} retry={refetch} /> : <Loading rows={4} />}
    </div>
  );
}

function Opened({ thread }: { thread: Thread }) {
  const { title, isOwn, status } = thread;
  useTitle(title.slice(0, 80));
  useAnswerKeys();
  const { read, messages, lines, session, older } = useLines(thread);
  const verbs = useThreadVerbs(thread);
  const [editing, edit] = useState<Talk["editing"]>(null);
  const [jumps, setJumps] = useState(0);
  const { insert } = useDraft(thread.id);
  const speaks = isOwn && status !== "deleted";
  const atWork = isAtWork(session, thread);
  const talk: Talk = {
    isOwn,
    isAtWork: atWork,
    verbs: speaks ? verbs : null,
    editing,
    edit,
    quote: (text) => {
      insert(text);
      focusFilter();
    },
  };
  const last = messages?.findLast(({ role, hidden }) => role === "user" && !hidden);
  return (
    <>
      <ThreadHeading thread={thread} session={session} />
      {read.error && !lines ? (
        <div className={styles.inset}>
          <Failed error={read.error} retry={read.refetch} />
        </div>
      ) : lines ? (
        <LineList
          lines={lines}
          onTop={older}
          jumps={jumps}
          tail={
            <Tail
              runId={thread.runId}
              name={thread.assistantName}
              session={session}
              lines={lines}
            />
          }
        >
          {(line) => (
            <ThreadLine line={line} talk={talk} asker={NOBODY} isLast={line === lines.at(-1)} />
          )}
        </LineList>
      ) : (
        <Loading rows={4} />
      )}
      <Announced messages={messages} />
      {speaks ? (
        <Box
          thread={thread}
          verbs={verbs}
          isAtWork={atWork}
          begun={(lines?.length ?? 0) > 0}
          standing={session && <Standing session={session} />}
          onUp={() => last && edit(last)}
          onSaid={() => setJumps((many) => many + 1)}
        />
      ) : (
        <div className={composer.bar}>
          <div className={composer.silent}>
            {isOwn
              ? "This conversation was deleted. Bring it back to go on."
              : "Its owner shares this conversation with you. Only they speak in it."}
          </div>
        </div>
      )}
    </>
  );
}

interface BoxProps {
  thread: Thread;
  verbs: ReturnType<typeof useThreadVerbs>;
  isAtWork: boolean;
  begun: boolean;
  standing: ReactNode;
  onUp: () => void;
  onSaid: () => void;
}

function Box({ thread, verbs, standing, onSaid, ...more }: BoxProps) {
  const agents = useAgents(thread.workspaceId);
  const [chosen, choose] = useState<string | null>(null);
  const navigate = useNavigate();
  const deeds = useThreadDeeds(thread);
  const own = { id: agentOf(thread.assistantId), name: thread.assistantName };
  const agent = agents.find(({ id }) => id === chosen) ?? own;
  const say = async ({ assistantId, ...words }: Speech) => {
    const other = assistantId ?? (agent.id === own.id ? undefined : agent.id);
    const heard = await verbs.post({ ...words, assistantId: other && assistantOf(other) });
    if (heard) {
      choose(null);
      onSaid();
    }
    return heard;
  };
  const command = (name: CommandName, rest: string) => {
    const run: Record<CommandName, () => unknown> = {
      new: () => navigate({ to: "/chat/new", search: { agent: own.id } }),
      stop: verbs.stop,
      title: () => rest && verbs.change({ title: rest }),
      export: () => deeds.save("markdown"),
      pin: deeds.pin,
      archive: deeds.archive,
    };
    void run[name]();
  };
  return (
    <Composer
      {...more}
      draft={thread.id}
      agent={agent}
      agents={agents}
      onAgent={choose}
      standing={standing}
      say={say}
      saying={verbs.posting}
      stop={verbs.stop}
      stopping={verbs.stopping}
      command={command}
    />
  );
}
