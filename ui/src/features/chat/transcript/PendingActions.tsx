import { useQuery } from "@tanstack/react-query";

import { TextLink } from "@/components/TextLink";
import card from "@/features/gate/approvals/Card.module.css";
import { Outcome } from "@/features/gate/approvals/Outcome";
import { Question } from "@/features/gate/approvals/Question";
import { readingOf } from "@/features/gate/approvals/useAnswer";
import { Visible } from "@/features/gate/shared/Untrusted";
import { focusHeading } from "@/keyboard/focus";
import { useRefresh } from "@/live/useRefresh";

import type { Pending, Session } from "./useSession";

/** What the agent may only do once a person has said yes. */
export function PendingActions({ session: { pendingActions } }: { session: Session }) {
  return pendingActions.map((action) => (
    <PendingAction key={action.id} action={action} alone={pendingActions.length === 1} />
  ));
}

function PendingAction({ action, alone }: { action: Pending; alone: boolean }) {
  const refresh = useRefresh();
  // Read on its own, because it is answered on its own: here, on the page of approvals, or elsewhere.
  const { data: approval } = useQuery({ ...readingOf(action.id), initialData: action.approval });
  const waits = approval.status === "pending";
  const heading = (
    <TextLink to="/approvals/$approvalId" params={{ approvalId: action.id }} inherit>
      {approval.title}
      {action.path && (
        <>
          : <Visible>{action.path}</Visible>
        </>
      )}
    </TextLink>
  );
  const onAnswered = () => {
    focusNext(action.id);
    void refresh("approval");
  };
  return (
    <section
      className={card.card}
      aria-label={`Asked: ${approval.title}`}
      data-row
      data-approval={alone ? "alone" : action.id}
      data-waits={waits || undefined}
      tabIndex={-1}
    >
      {waits ? (
        <Question approval={approval} heading={heading} onAnswered={onAnswered} />
      ) : (
        <Outcome approval={approval} heading={heading} />
      )}
    </section>
  );
}

/** The pressed button goes; whoever uses the keyboard goes on with the next question, or from the top. */
function focusNext(answered: string) {
  const cards = [...document.querySelectorAll<HTMLElement>("main [data-approval][data-waits]")];
  const next = cards.find(({ dataset }) => ![answered, "alone"].includes(dataset.approval ?? ""));
  if (next) next.focus();
  else focusHeading();
}
