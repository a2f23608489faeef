import { api, type Schemas } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Loaded, Loading } from "@/components/states";

type Finding = Schemas["FindingOut"];

const WORDS: Record<Finding["state"], string> = {
  ok: "fine",
  warning: "to look at",
  failed: "does not work",
};

/** What the doctor found that is not as it should be. */
export function CheckUp() {
  const doctor = api.useQuery("get", "/api/v1/doctor", {}, { refetchInterval: 60_000 });
  return (
    <Section title="Check-up">
      <Loaded query={doctor} loading={<Loading rows={2} />}>
        {({ items }) => <Findings all={items} />}
      </Loaded>
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
          marks={<StateMark state={state}>{WORDS[state]}</StateMark>}
          meta={[capitalised(detail)]}
        />
      ))}
    </Rows>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
