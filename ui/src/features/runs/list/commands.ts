import { IconRoute } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

import { STATUSES, titleOf } from "./words";

const QUERY = { live: true, PageSize: 10 } as const;

/** The runs that are not over. */
export function useRunCommands(): Offer {
  const navigate = useNavigate();
  const { data } = api.useQuery("get", "/api/v1/runs", { params: { query: QUERY } });
  const commands = (data?.items ?? []).map((run) => ({
    id: run.id,
    label: titleOf(run),
    group: "Under way",
    icon: IconRoute,
    detail: `${run.agentName}, ${STATUSES[run.status].words}`,
    words: "run live running open",
    run: () => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
  }));
  return { commands };
}
