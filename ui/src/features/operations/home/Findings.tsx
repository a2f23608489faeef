import { api } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Failed } from "@/components/states";

/** What the doctor found that is not as it should be. Takes no place when all is well. */
export function Findings() {
  const { data, error, refetch } = api.useQuery("get", "/api/v1/doctor", {}, { staleTime: 60_000 });
  if (error) return <Failed error={error} retry={refetch} />;
  const found = data?.items.filter(({ state }) => state !== "ok") ?? [];
  if (found.length === 0) return null;
  return (
    <Section title="Worth a look" description="What the check-up of this installation found.">
      <Rows label="Findings">
        {found.map(({ check, state, detail }) => (
          <Row
            key={check}
            title={capitalised(check)}
            marks={state !== "ok" && <StateMark state={state}>{state}</StateMark>}
            meta={[capitalised(detail)]}
          />
        ))}
      </Rows>
    </Section>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
