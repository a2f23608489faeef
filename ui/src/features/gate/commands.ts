import { IconChecklist, IconHandStop } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

import { useHalt, useStopDialog } from "./halt/useHalt";

const QUERY = { status: "pending", PageSize: 10 } as const;

/** The panic button, and each call that waits. */
export function useGateCommands(): Offer {
  const navigate = useNavigate();
  const halt = useHalt();
  const [, stop] = useStopDialog();
  const { data } = api.useQuery("get", "/api/v1/approvals", { params: { query: QUERY } });
  const waiting = (data?.items ?? []).map(({ id, title, caller }) => ({
    id,
    label: title,
    group: "Waiting for an answer",
    icon: IconChecklist,
    detail: caller.name,
    words: "approval waiting allow deny",
    run: () => void navigate({ to: "/approvals/$approvalId", params: { approvalId: id } }),
  }));
  const panic = {
    id: "halt",
    label: "Stop everything",
    group: "Do",
    icon: IconHandStop,
    words: "panic halt emergency kill",
    run: stop.open,
  };
  return { commands: halt?.stopped ? waiting : [...waiting, panic] };
}
