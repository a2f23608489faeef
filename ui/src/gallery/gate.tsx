import { Group, Stack } from "@mantine/core";

import { Diff } from "@/features/gate/approvals/Diff";
import { Arguments } from "@/features/gate/shared/Arguments";
import { CallerName } from "@/features/gate/shared/CallerName";
import { DecisionMark } from "@/features/gate/shared/DecisionMark";
import { Sources } from "@/features/gate/shared/Sources";
import { UndoButton, UndoProblem } from "@/features/gate/shared/Undo";
import { Untrusted } from "@/features/gate/shared/Untrusted";

const DIFF = [
  "--- Papers/plan.txt",
  "+++ Papers/plan.txt",
  "@@ -1,3 +1,3 @@",
  " Monday: call the bank",
  "-Tuesday: send the offer to kim@example.com",
  "+Tuesday: send the offer to k\u0456m@example.org",
  " Friday: rest\u202e",
].join("\n");
const undo = { run: () => {}, running: false, problem: null };

/** Words of others: never markup, with what hides in them made visible. */
export function UntrustedWords() {
  return (
    <Stack gap="xs" align="flex-start">
      <div>
        <Untrusted>
          {"<b>Pay</b> \u202eexe.ecioj\u202c now\u200b, 👩‍👧 https://example.com"}
        </Untrusted>
      </div>
      <div>
        <Untrusted most={60}>{"A long letter. ".repeat(40)}</Untrusted>
      </div>
      <Arguments
        values={{
          title: "Water the plants",
          recipients: ["kim@example.com", "sam@example.com"],
          urgent: false,
          due: null,
        }}
      />
      <Diff>{DIFF}</Diff>
    </Stack>
  );
}

/** Who, whose words, and what the gate said. */
export function GateMarks() {
  return (
    <Stack gap="xs">
      <Group>
        <CallerName caller={{ kind: "client", name: "Claude Code", version: "2.1" }} />
        <CallerName caller={{ kind: "agent", name: "Assistant" }} />
        <CallerName caller={{ kind: "user", name: "Ada Lovelace" }} />
      </Group>
      <Group>
        {["ALLOW", "REDACT", "REQUIRE_APPROVAL", "BLOCK", "DENY"].map((decision) => (
          <DecisionMark key={decision} decision={decision} />
        ))}
      </Group>
      <Sources
        sources={[
          { label: "stranger", about: "the file Papers/inbox/offer.txt" },
          { label: "web", about: "https://example.com" },
          { label: "contact", about: "a mail from Kim" },
        ]}
      />
      <Group>
        <UndoButton undo={undo} title="Complete a task" />
      </Group>
      <UndoProblem undo={{ ...undo, problem: "Kim changed the task since." }} />
    </Stack>
  );
}
