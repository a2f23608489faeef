import { useDebouncedValue } from "@mantine/hooks";
import { IconBulb, IconFile, IconMail } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";

import type { Offer } from "./command";

const LONG_ENOUGH = 3;

/** Files, mail and memories that hold the words, each with the place where it says so. */
export function useFoundCommands(text: string): Offer {
  const navigate = useNavigate();
  const [q] = useDebouncedValue(text.trim(), 150);
  const found = api.useQuery(
    "get",
    "/api/v1/search",
    { params: { query: { q, kinds: ["file", "mail", "memory"], mode: "keyword", limit: 5 } } },
    { enabled: q.length >= LONG_ENOUGH, placeholderData: keepPreviousData },
  );
  const files = (found.data?.files ?? []).map(({ id, path, name, snippet, workspaceId }) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    const search = { workspace: workspaceId, folder, file: path };
    return {
      id,
      label: name,
      group: "Files",
      icon: IconFile,
      detail: folder,
      snippet,
      words: text,
      run: () => void navigate({ to: "/library", search }),
    };
  });
  const others = (found.data?.others ?? []).map(
    ({ id, kind, title, about, snippet, workspaceId: workspace }) => ({
      id,
      label: title,
      group: kind === "mail" ? "Mail" : "Memory",
      icon: kind === "mail" ? IconMail : IconBulb,
      detail: about,
      snippet,
      words: text,
      run: () =>
        kind === "mail"
          ? void navigate({ to: "/mail", search: { workspace, q, mail: id } })
          : void navigate({ to: "/memory", search: { workspace, q } }),
    }),
  );
  const isAsked = q.length >= LONG_ENOUGH;
  return {
    commands: isAsked ? [...files, ...others] : [],
    pending: found.isLoading || (text.trim() !== q && text.trim().length >= LONG_ENOUGH),
  };
}
