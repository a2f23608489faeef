import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import { ActionRow } from "./ActionRow";

const QUERY = { PageSize: 3 } as const;

/** The last things that were done, for the first page. */
export function Lately() {
  const actions = api.useQuery("get", "/api/v1/actions", { params: { query: QUERY } });
  const empty = (
    <Empty title="Nothing was changed yet">
      What agents do here shows up, and most of it can be undone.
    </Empty>
  );
  return (
    <Section
      title="Done lately"
      actions={
        <TextLink to="/activity" size="sm">
          All activity
        </TextLink>
      }
    >
      <Listing label="Done lately" query={actions} empty={empty} expected={1}>
        {(action) => <ActionRow key={action.id} action={action} />}
      </Listing>
    </Section>
  );
}
