import type { Schemas } from "@/api/client";
import type { State } from "@/components/StateMark";

type Status = Schemas["ApprovalOut"]["status"];

interface Words {
  verdict?: { shade: "allowed" | "asks" | "blocked"; words: string };
  outcome?: { state: State; words: string };
}

const ALLOWED = { shade: "allowed", words: "allowed" } as const;

/** How an approval stands: what was decided, and what came of it. */
export const STATUSES: Record<Status, Words> = {
  pending: { verdict: { shade: "asks", words: "waiting for an answer" } },
  allowed: { verdict: ALLOWED, outcome: { state: "waiting", words: "running" } },
  done: { verdict: ALLOWED, outcome: { state: "ok", words: "done" } },
  failed: { verdict: ALLOWED, outcome: { state: "failed", words: "it did not work" } },
  unknown: {
    verdict: ALLOWED,
    outcome: { state: "warning", words: "nobody knows whether it happened" },
  },
  denied: { verdict: { shade: "blocked", words: "denied" } },
  expired: { outcome: { state: "off", words: "expired, because nobody answered" } },
};
