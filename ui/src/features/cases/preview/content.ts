import { queryOptions } from "@tanstack/react-query";

import { http } from "@/api/client";

import { type Item, titleOf } from "../words";

const CONTENT = "/api/v1/cases/{case_id}/items/{item_id}/content";

/** Something that is shown as a browser can, wherever it comes from. */
export interface Held {
  title: string;
  mimeType: string | null | undefined;
  size: number;
  /** Where a browser finds it, to look at or, with `download`, to keep. */
  address: string;
  download: string;
  bytes: { queryKey: readonly unknown[]; queryFn: () => Promise<ArrayBuffer> };
}

/** Where a browser finds what an item holds. */
export const contentOf = ({ caseId, id }: Item) => `/api/v1/cases/${caseId}/items/${id}/content`;

export const heldOf = (item: Item): Held => ({
  title: titleOf(item),
  mimeType: item.mimeType,
  size: item.size,
  address: contentOf(item),
  download: `${contentOf(item)}?download=true`,
  bytes: {
    queryKey: bytesOf(item).queryKey,
    queryFn: () => bytes(item),
  },
});

async function bytes(item: Item): Promise<ArrayBuffer> {
  const path = { case_id: item.caseId, item_id: item.id };
  const { data, error } = await http.GET(CONTENT, { params: { path }, parseAs: "arrayBuffer" });
  if (!data) throw error;
  return data;
}

/** The same as bytes: of a page, what the server has left of it. */
export const bytesOf = (item: Item) =>
  queryOptions({
    queryKey: ["content", item.id, item.revision],
    queryFn: () => bytes(item),
  });
