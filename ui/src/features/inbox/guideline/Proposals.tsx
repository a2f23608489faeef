import { Button, Group, Text } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { Section } from "@/components/Section";
import { When } from "@/components/When";
import { Diff } from "@/features/gate/approvals/Diff";
import { useRefresh } from "@/live/useRefresh";

import styles from "./Guideline.module.css";

type Proposal = Schemas["GuidelineProposalOut"];

const PROPOSALS = "/api/v1/inbox/proposals";
const SAID = {
  accept: (notebook: string) => `The guideline of ${notebook} is changed.`,
  reject: (notebook: string) => `The guideline of ${notebook} stays as it is.`,
};

export const useProposals = (workspaceId: string) =>
  api.useQuery("get", PROPOSALS, { params: { query: { workspaceId } } });

interface Props {
  proposals: Proposal[];
  /** What a notebook is called. */
  nameOf: (notebookId: string) => string;
  mayAnswer: boolean;
}

/** Changes to guidelines that past decisions speak for, each with what it would add and remove. */
export function Proposals({ proposals, nameOf, mayAnswer }: Props) {
  if (proposals.length === 0) return null;
  return (
    <Section
      title="Proposed changes"
      description="What you decided before speaks for these. Nothing changes until you say yes."
    >
      <ul className={styles.proposals} role="list" aria-label="Proposed changes">
        {proposals.map((proposal) => (
          <OneProposal
            key={proposal.id}
            proposal={proposal}
            notebook={nameOf(proposal.notebookId)}
            mayAnswer={mayAnswer}
          />
        ))}
      </ul>
    </Section>
  );
}

interface OneProps {
  proposal: Proposal;
  notebook: string;
  mayAnswer: boolean;
}

function OneProposal({ proposal, notebook, mayAnswer }: OneProps) {
  const { id, reason, diff, createdAt } = proposal;
  const refresh = useRefresh();
  // Told here and not where it is asked for: the row may be gone before the answer comes.
  const answering = api.useMutation("post", `${PROPOSALS}/{proposal_id}/resolve`, {
    onSuccess: (_, { body }) => notify.done(SAID[body.action](notebook)),
    onSettled: () => refresh("guideline"),
  });
  const answer = (action: "accept" | "reject") =>
    answering.mutate({ params: { path: { proposal_id: id } }, body: { action } });
  return (
    <li className={styles.proposal} data-row tabIndex={-1}>
      <Text fw={500}>Guideline of {notebook}</Text>
      <Text size="sm" c="dimmed" mb="xs">
        {reason} <When at={createdAt} />
      </Text>
      <Diff label={`What would change in the guideline of ${notebook}`}>{diff}</Diff>
      {mayAnswer && (
        <Group gap="xs" mt="xs">
          <Button
            size="xs"
            data-first
            disabled={answering.isPending}
            aria-label={`Accept the change for ${notebook}`}
            onClick={() => answer("accept")}
          >
            Accept
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={answering.isPending}
            aria-label={`Reject the change for ${notebook}`}
            onClick={() => answer("reject")}
          >
            Reject
          </Button>
        </Group>
      )}
    </li>
  );
}
