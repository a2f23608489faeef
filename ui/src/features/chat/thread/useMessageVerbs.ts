import { api } from "@/api/client";
import { useRefresh } from "@/live/useRefresh";

import type { ThreadMessage } from "./useThread";

const ONE = "/api/v1/threads/{thread_id}/messages/{message_id}";

/** What anybody who reads a message can do with it. */
export function useMessageVerbs({ id, threadId, reactions, isStarred }: ThreadMessage) {
  const refresh = useRefresh();
  const onSuccess = () => refresh("message");
  const params = { path: { thread_id: threadId, message_id: id } };
  const reacting = api.useMutation("post", `${ONE}/reactions`, { onSuccess });
  const starring = api.useMutation("put", `${ONE}/star`, { onSuccess });
  const unstarring = api.useMutation("delete", `${ONE}/star`, { onSuccess });
  const deleting = api.useMutation("delete", ONE, { onSuccess });
  const has = (emoji: string) => reactions.some((one) => one.emoji === emoji && one.user_reacted);
  const put = (emoji: string, action: "add" | "remove") =>
    reacting.mutateAsync({ params, body: { emoji, action } }).catch(() => {});
  return {
    has,
    /** Puts an emoji there, or takes it back; what stands against it goes. */
    react: async (emoji: string) => {
      const against = OPPOSITES[emoji];
      if (against && has(against)) await put(against, "remove");
      await put(emoji, has(emoji) ? "remove" : "add");
    },
    star: () => (isStarred ? unstarring : starring).mutate({ params }),
    remove: () => deleting.mutateAsync({ params }),
  };
}

const OPPOSITES: Record<string, string> = { thumbsup: "thumbsdown", thumbsdown: "thumbsup" };
