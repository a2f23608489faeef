import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";

/** Starts a session with an agent, and goes to its page. */
export function useTalk() {
  const navigate = useNavigate();
  const start = api.useMutation("post", "/api/v1/agents/{agent_id}/sessions");
  return {
    isStarting: start.isPending,
    talk: (id: string) =>
      start.mutate(
        { params: { path: { agent_id: id } }, body: {} },
        {
          onSuccess: (made) =>
            void navigate({ to: "/sessions/$sessionId", params: { sessionId: made.id } }),
        },
      ),
  };
}
