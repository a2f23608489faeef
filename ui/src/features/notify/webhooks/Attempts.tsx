import type { Schemas } from "@/api/client";
import { CodeBlock } from "@/components/CodeBlock";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { When } from "@/components/When";

type Attempt = Schemas["AttemptOut"];

/** Each try to deliver, and what the other side said. */
export function Attempts({ log }: { log: Attempt[] }) {
  return (
    <Section title="Attempts">
      {log.length === 0 ? (
        <Empty title="Nothing was tried yet">The first attempt is made within seconds.</Empty>
      ) : (
        <Rows label="Attempts">
          {log.map((attempt) => (
            <AttemptRow key={attempt.number} attempt={attempt} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { number, at, status, milliseconds, error, response } = attempt;
  const arrived = status !== null && status >= 200 && status < 300;
  return (
    <Row
      title={`Attempt ${number}`}
      marks={
        <StateMark state={arrived ? "ok" : "failed"}>
          {status === null ? "no answer" : `answered ${status}`}
        </StateMark>
      }
      meta={[<When key="at" at={at} />, `took ${milliseconds} ms`, error]}
    >
      {response && <CodeBlock label={`Answer to attempt ${number}`}>{response}</CodeBlock>}
    </Row>
  );
}
