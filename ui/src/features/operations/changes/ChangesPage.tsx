import { NativeSelect, Text } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Row } from "@/components/Rows";
import { Empty } from "@/components/states";
import { When } from "@/components/When";

import { Difference } from "./Difference";
import { ACTIONS, actionInWords } from "./words";

const FILTERS = [
  { value: "", label: "All changes" },
  ...Object.entries(ACTIONS).map(([value, words]) => ({
    value,
    label: words.charAt(0).toUpperCase() + words.slice(1),
  })),
];

/** Who changed what. */
export function ChangesPage() {
  const [action, setAction] = useState("");
  const query = action ? { action } : {};
  const changes = api.useInfiniteQuery("get", "/api/v1/changes", { params: { query } }, byPage);
  const empty = (
    <Empty title={action ? "There is no such change" : "Nothing was changed yet"}>
      {action
        ? "Choose “All changes” to see the others."
        : "Changes to users, settings and keys show up here."}
    </Empty>
  );
  return (
    <Page
      title="Change record"
      description="Who changed what, newest first. Secrets are never part of it."
      actions={
        <NativeSelect
          aria-label="Which changes to show"
          data-filter
          data={FILTERS}
          value={action}
          onChange={(event) => setAction(event.currentTarget.value)}
        />
      }
    >
      <PagedListing label="Changes" query={changes} empty={empty}>
        {(change) => <ChangeRow key={change.id} change={change} />}
      </PagedListing>
    </Page>
  );
}

function ChangeRow({ change }: { change: Schemas["ChangeOut"] }) {
  return (
    <Row
      title={
        <>
          {change.actorName}{" "}
          <Text span fw={400}>
            {actionInWords(change.action)}
          </Text>
        </>
      }
      meta={[<When at={change.at} />, <code>{change.subjectId}</code>]}
    >
      <Difference before={change.before} after={change.after} />
    </Row>
  );
}
