import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark, Verdict } from "@/components/StateMark";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";

import { CallerName } from "../shared/CallerName";
import { Gist } from "../shared/Gist";
import { Untrusted } from "../shared/Untrusted";

const QUERY = { status: "pending", PageSize: 3 } as const;

/** The calls that wait, for the first page. */
export function WaitingForYou() {
  const waiting = api.useQuery("get", "/api/v1/approvals", { params: { query: QUERY } });
  const total = waiting.data?.totalItems ?? 0;
  return (
    <Section
      title="Waiting for you"
      actions={
        <TextLink to="/approvals" size="sm">
          {total > 3 ? `All ${total} approvals` : "All approvals"}
        </TextLink>
      }
    >
      <Listing label="Waiting for you" query={waiting} empty={<Nothing />} expected={1}>
        {({ id, title, arguments: values, caller, reason, createdAt }) => (
          <Row
            key={id}
            title={
              <TextLink to="/approvals/$approvalId" params={{ approvalId: id }} fw={500}>
                {title}
              </TextLink>
            }
            marks={
              <>
                <Gist values={values} />
                <Verdict verdict="asks">asks</Verdict>
              </>
            }
            meta={[
              <CallerName key="caller" caller={caller} />,
              <Untrusted key="reason" most={160}>
                {reason}
              </Untrusted>,
              <When key="at" at={createdAt} />,
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}

function Nothing() {
  return (
    <Rows label="Waiting for you">
      <Row
        title={<StateMark state="ok">Nothing waits for you</StateMark>}
        meta={["When an agent needs a person, it shows up here"]}
      />
    </Rows>
  );
}
