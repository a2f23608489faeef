import { useDebouncedValue } from "@mantine/hooks";
import { IconMessage, IconMessagePlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

const SIZE = 8;
const PAUSE = 150;

/** A new conversation, and those that are there by what was said in them. */
export function useChatCommands(text: string): Offer {
  const navigate = useNavigate();
  const [typed] = useDebouncedValue(text.trim(), PAUSE);
  const query = { q: typed.slice(0, 200) || undefined, PageSize: SIZE };
  const { data, isFetching } = api.useQuery("get", "/api/v1/threads", { params: { query } });
  const begin = {
    id: "thread new",
    label: "New conversation",
    group: "Do",
    icon: IconMessagePlus,
    words: "chat talk agent start thread session",
    run: () => void navigate({ to: "/chat/new" }),
  };
  const open = (data?.items ?? []).map(({ id, title, assistantName }) => ({
    id,
    label: title,
    group: "Conversations",
    icon: IconMessage,
    detail: assistantName,
    // Found by what was said in it, which does not stand here.
    words: `chat thread ${text}`,
    run: () => void navigate({ to: "/chat/$threadId", params: { threadId: id } }),
  }));
  return { commands: [begin, ...open], pending: isFetching };
}
