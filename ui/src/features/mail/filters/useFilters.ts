import { useQueryClient } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { leaveRow } from "../leaveRow";
import { type Filter, recreated } from "./filterForm";

export const FILTERS = "/api/v1/filters";

export const filtersOf = (workspaceId: string) =>
  api.queryOptions(
    "get",
    FILTERS,
    { params: { query: { workspaceId } } },
    { enabled: workspaceId !== "" },
  );

/** Switching, deleting and ordering filters, each with a way back. */
export function useFilters(workspaceId: string) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const reread = { onSettled: () => refresh("filter") };
  const change = api.useMutation("patch", "/api/v1/filters/{filter_id}", reread);
  const create = api.useMutation("post", FILTERS, reread);
  const remove = api.useMutation("delete", "/api/v1/filters/{filter_id}", {
    ...reread,
    onSuccess: () => leaveRow(),
  });
  const order = api.useMutation("put", "/api/v1/filters/order", reread);
  const { queryKey } = filtersOf(workspaceId);

  /** The rows are where they were put before the server has answered. */
  const arrange = (ids: string[]) => {
    client.setQueryData<Schemas["FiltersOut"]>(
      queryKey,
      (old) => old && { ...old, items: inOrder(old.items, ids) },
    );
    return order.mutateAsync({ body: { workspaceId, ids } });
  };
  return {
    enable: ({ id, name }: Filter, enabled: boolean) => {
      const set = (to: boolean) =>
        change.mutateAsync({ params: { path: { filter_id: id } }, body: { enabled: to } });
      const said = `“${name}” is switched ${enabled ? "on" : "off"}.`;
      notify.undoable(set(enabled), said, () => set(!enabled));
    },
    remove: (filter: Filter, filters: Filter[]) => {
      const before = filters.map(({ id }) => id);
      const gone = remove.mutateAsync({ params: { path: { filter_id: filter.id } } });
      notify.undoable(gone, `“${filter.name}” is deleted.`, async () => {
        const made = await create.mutateAsync({ body: recreated(filter) });
        // Back to where it stood, unless the others changed meanwhile.
        await arrange(before.map((id) => (id === filter.id ? made.id : id)));
      });
    },
    move: (filters: Filter[], from: number, to: number) => {
      const moved = filters[from];
      if (!moved || from === to || to < 0 || to >= filters.length) return;
      const before = filters.map(({ id }) => id);
      const after = before.toSpliced(from, 1).toSpliced(to, 0, moved.id);
      const said = `“${moved.name}” is asked as number ${to + 1} now.`;
      notify.undoable(arrange(after), said, () => arrange(before));
    },
  };
}

function inOrder(filters: Filter[], ids: string[]): Filter[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return filters.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}
