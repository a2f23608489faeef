import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { isGone } from "@/api/problem";
import { Fact, Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { focusHeading } from "@/keyboard/focus";

import { Sources } from "../shared/Sources";
import { Untrusted } from "../shared/Untrusted";
import styles from "./Card.module.css";
import { Outcome } from "./Outcome";
import { Preview } from "./Preview";
import { Question } from "./Question";
import { readingOf } from "./useAnswer";
import { useAnswerKeys } from "./useAnswerKeys";

type Approval = Schemas["ApprovalOut"];

/** One call that waits for a person, or did. */
export function ApprovalPage() {
  const { approvalId } = useParams({ from: "/shell/approvals/$approvalId" });
  const approval = useQuery(readingOf(approvalId));
  const { data, error } = approval;
  useAnswerKeys();
  return (
    <Page
      title={data && !isGone(error) ? data.title : "Approval"}
      description={
        <TextLink to="/approvals" size="sm">
          All approvals
        </TextLink>
      }
    >
      <Loaded query={approval}>
        {(found) => (found.status === "pending" ? <Waiting of={found} /> : <Answered of={found} />)}
      </Loaded>
    </Page>
  );
}

function Waiting({ of: approval }: { of: Approval }) {
  return (
    <div className={styles.card} data-approval="alone" data-waits>
      <Question approval={approval} heading="Your answer" onAnswered={focusHeading} />
      <Rule id={approval.ruleId} />
    </div>
  );
}

function Answered({ of: approval }: { of: Approval }) {
  const { reason, sources } = approval;
  return (
    <>
      <Section title="What came of it">
        <div className={styles.card}>
          <Outcome approval={approval} heading={approval.title} />
        </div>
      </Section>
      <Section title="What was asked">
        <Facts>
          <Fact name="When">
            <When at={approval.createdAt} />
          </Fact>
          <Fact name="Why">
            <Untrusted>{reason}</Untrusted>
          </Fact>
          {sources.length > 0 && (
            <Fact name="It had read">
              <Sources sources={sources} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={approval.edited ? "As it was allowed" : "What it was about"}>
        <Preview approval={approval} />
      </Section>
    </>
  );
}

/** The rule that wanted a person asked, if it was one. */
function Rule({ id }: { id: string | null }) {
  const { data } = api.useQuery("get", "/api/v1/rules", {}, { enabled: id !== null });
  const rule = data?.items.find((one) => one.id === id);
  if (rule?.action !== "REQUIRE_APPROVAL") return null;
  return (
    <Text size="sm" c="dimmed" mt="sm">
      The rule “{rule.name}” asks for this.{" "}
      <TextLink to="/policies" size="sm">
        All policies
      </TextLink>
    </Text>
  );
}
