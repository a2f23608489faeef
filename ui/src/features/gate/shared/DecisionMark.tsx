import { Verdict } from "@/components/StateMark";

type Shade = Parameters<typeof Verdict>[0]["verdict"];

const DECISIONS: Record<string, [Shade, string]> = {
  ALLOW: ["allowed", "allowed"],
  REDACT: ["allowed", "allowed, with parts taken out"],
  REQUIRE_APPROVAL: ["asks", "asks a person"],
  BLOCK: ["blocked", "blocked"],
  DENY: ["blocked", "denied"],
};

/** What the gate decided, in a word and its colour. */
export function DecisionMark({ decision }: { decision: string | null }) {
  const [shade, words] = DECISIONS[decision ?? "DENY"] ?? ["blocked", decision];
  return <Verdict verdict={shade}>{words}</Verdict>;
}
