import { queryOptions } from "@tanstack/react-query";

import { http } from "@/api/client";

import { FILES, type FileText } from "../browser/browsed";

// As much as comes at once, and as much as a field of a page can take.
const PART = 200_000;
export const LONGEST_EDITED = 1_000_000;

/** The whole text of a file that came in part, as long as it stays the same. */
export const wholeText = (workspace: string, file: FileText) =>
  queryOptions({
    queryKey: ["whole text", workspace, file.path, file.etag],
    queryFn: () => (file.nextOffset ? rest(workspace, file) : (file.content ?? "")),
    staleTime: Infinity,
    gcTime: 0,
  });

async function rest(workspace: string, { path, etag }: FileText): Promise<string> {
  let text = "";
  let offset: number | null | undefined = 0;
  while (typeof offset === "number") {
    const asked: { path: string; offset: number; limit: number } = { path, offset, limit: PART };
    const { data, error } = await http.GET(`${FILES}/text`, {
      params: { path: { workspace_id: workspace }, query: asked },
    });
    if (!data) throw error;
    if (data.etag !== etag) throw new Error("It was changed meanwhile.");
    text += data.content ?? "";
    offset = text.length > LONGEST_EDITED ? null : data.nextOffset;
  }
  return text;
}
