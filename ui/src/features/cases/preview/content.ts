import { queryOptions } from "@tanstack/react-query";

import { http } from "@/api/client";

import type { Item } from "../words";

const CONTENT = "/api/v1/cases/{case_id}/items/{item_id}/content";

/** Where a browser finds what an item holds. */
export const contentOf = ({ caseId, id }: Item) => `/api/v1/cases/${caseId}/items/${id}/content`;

/** The same as bytes: of a page, what the server has left of it. */
export const bytesOf = (item: Item) =>
  queryOptions({
    queryKey: ["content", item.id, item.revision],
    queryFn: async () => {
      const path = { case_id: item.caseId, item_id: item.id };
      const { data, error } = await http.GET(CONTENT, { params: { path }, parseAs: "arrayBuffer" });
      if (!data) throw error;
      return data;
    },
  });
