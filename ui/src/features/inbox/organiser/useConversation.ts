import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "@/api/client";
import { useMe } from "@/features/identity/useMe";
import { message, type Written } from "@/features/chat/composer/pasted";
import { sessionReading } from "@/features/chat/transcript/useSession";
import { useRefresh } from "@/live/useRefresh";

const FEW = 20;

/** One's conversation with the organiser of an inbox: the last one, until a new one is begun. */
export function useConversation(workspaceId: string, agentId: string | null) {
  const me = useMe();
  const refresh = useRefresh();
  // Undefined: the last one. Null: a new one, of which nothing was said yet.
  const [chosen, setChosen] = useState<string | null>();
  const query = { agentId: agentId ?? "", kind: "session", PageSize: FEW } as const;
  const earlier = api.useQuery(
    "get",
    "/api/v1/runs",
    { params: { query } },
    { enabled: agentId !== null && chosen === undefined },
  );
  const last = earlier.data?.items.find(({ userId }) => userId === me.id)?.id;
  const id = chosen === undefined ? last : (chosen ?? undefined);
  const session = useQuery({ ...sessionReading(id ?? ""), enabled: id !== undefined });
  const saying = api.useMutation("post", "/api/v1/inbox/agent/message", {
    onSuccess: async ({ session_id }) => {
      setChosen(session_id);
      await refresh("run", "inbox");
    },
  });
  // What is over cannot go on: the next words begin a new one.
  const goesOn = id !== undefined && session.data?.canSpeak === true;
  return {
    session: id === undefined ? undefined : session,
    begin: () => setChosen(null),
    /** Whether it was heard: if not, the words are still the person's to send. */
    say: (written: Written) => {
      const { content, pasted } = message(written);
      const body = { message: content, pasted, workspace_id: workspaceId };
      return saying.mutateAsync({ body: { ...body, session_id: goesOn ? id : null } }).then(
        () => true,
        () => false,
      );
    },
    saying: saying.isPending,
  };
}
