import { api, type Schemas } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Failed, Loading } from "@/components/states";

type Finding = Schemas["FindingOut"];

/** What the doctor found that is not as it should be. */
export function CheckUp() {
  const { data, error, refetch } = api.useQuery("get", "/api/v1/doctor", {}, { staleTime: 60_000 });
  return (
    <Section title="Check-up">
      {data ? (
        <Findings all={data.items} />
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Loading rows={2} />
      )}
    </Section>
  );
}

function Findings({ all }: { all: Finding[] }) {
  const found = all.filter(({ state }) => state !== "ok");
  return (
    <Rows label="Findings">
      {found.length === 0 && (
        <Row
          title={<StateMark state="ok">All is well</StateMark>}
          meta={[`${all.length} checks of folders, keys, databases and backups`]}
        />
      )}
      {found.map(({ check, state, detail }) => (
        <Row
          key={check}
          title={capitalised(check)}
          marks={<StateMark state={state}>{state}</StateMark>}
          meta={[capitalised(detail)]}
        />
      ))}
    </Rows>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
