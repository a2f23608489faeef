import { Group, NativeSelect } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { useMe } from "@/features/identity/useMe";

import { useTools } from "../shared/useTools";
import { FILTERS } from "./words";

const SIZE = { flex: "1 1 150px", maw: { sm: 220 } };

interface Choice {
  value: string;
  label: string;
}

/** Whose actions, which and how they ended; it is in the address, so that it can be kept and sent. */
export function Filters({ known }: { known: Schemas["ActionOut"][] }) {
  const { caller = "", tool = "", status = "" } = useSearch({ from: "/shell/activity" });
  const navigate = useNavigate();
  const set = (change: { caller?: string; tool?: string; status?: string }) =>
    void navigate({
      to: "/activity",
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Group gap="xs" mb="md">
      <NativeSelect
        {...SIZE}
        aria-label="By whom"
        data-filter
        data={[{ value: "", label: "By anyone" }, ...useCallers(known, caller)]}
        value={caller}
        onChange={(event) => set({ caller: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        {...SIZE}
        aria-label="Which tool"
        data={[{ value: "", label: "Any tool" }, ...useToolChoices(tool)]}
        value={tool}
        onChange={(event) => set({ tool: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        {...SIZE}
        aria-label="How it ended"
        data={FILTERS}
        value={status}
        onChange={(event) => set({ status: event.currentTarget.value || undefined })}
      />
    </Group>
  );
}

/** Oneself, the clients, and whoever else is on the page. */
function useCallers(known: Schemas["ActionOut"][], chosen: string): Choice[] {
  const me = useMe();
  const { data } = api.useQuery("get", "/api/v1/clients");
  const found = new Map([[me.id, `${me.name} (you)`]]);
  for (const { id, name } of data?.items ?? []) found.set(id, name);
  for (const { caller } of known) if (!found.has(caller.id)) found.set(caller.id, caller.name);
  return withChosen(
    [...found].map(([value, label]) => ({ value, label })),
    chosen,
  );
}

function useToolChoices(chosen: string): Choice[] {
  const { data } = api.useQuery("get", "/api/v1/workspaces");
  const { tools = [] } = useTools(data?.items[0]?.id);
  const writing = tools.filter(({ effect }) => effect !== "read");
  return withChosen(
    writing.map(({ name, title }) => ({ value: name, label: title })),
    chosen,
  );
}

/** What the address says is shown even if nobody knows its name. */
function withChosen(choices: Choice[], chosen: string): Choice[] {
  const isKnown = !chosen || choices.some(({ value }) => value === chosen);
  return isKnown ? choices : [...choices, { value: chosen, label: chosen }];
}
