import { IconCircleX, IconClock, IconClipboardText } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import type { Offer } from "@/palette/command";

import { senderOf, STATES, subjectOf } from "./words";

const LONG_ENOUGH = 3;

/** Results that need someone, and those whose mail has the words that were typed. */
export function useCaseCommands(text: string): Offer {
  const navigate = useNavigate();
  const q = text.trim();
  const found = api.useQuery(
    "get",
    "/api/v1/cases",
    { params: { query: { q, PageSize: 5 } } },
    { enabled: q.length >= LONG_ENOUGH },
  );
  const show = (state: "waiting" | "failed") =>
    void navigate({ to: "/results", search: { state } });
  return {
    pending: found.isLoading,
    commands: [
      {
        id: "results waiting",
        label: "Results that wait for you",
        group: "Do",
        icon: IconClock,
        words: "cases approve questions directors",
        run: () => show("waiting"),
      },
      {
        id: "results failed",
        label: "Results that failed",
        group: "Do",
        icon: IconCircleX,
        words: "cases errors directors",
        run: () => show("failed"),
      },
      ...(found.data?.items ?? []).map((one) => ({
        id: one.id,
        label: subjectOf(one),
        group: "Results",
        icon: IconClipboardText,
        detail: `${one.directorName}, ${STATES[one.state].words.toLowerCase()}`,
        words: `${senderOf(one)} ${one.mail.senderAddress} ${q}`,
        run: () => void navigate({ to: "/results", search: { case: one.id } }),
      })),
    ],
  };
}
