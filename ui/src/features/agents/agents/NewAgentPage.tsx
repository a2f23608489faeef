import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { Empty, Loaded, LoadingForm } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import { Editor } from "./Editor";
import { Presets } from "./Presets";
import { newValues, type Preset } from "./values";

/** An agent that is not there yet: one chooses what to start from, and then says the rest. */
export function NewAgentPage() {
  const { preset } = useSearch({ strict: false });
  return preset ? <FromPreset key={preset} slug={preset} /> : <Choice />;
}

function Choice() {
  return (
    <Page
      title="New agent"
      description="What shall it be? You can change everything about it, now and later."
    >
      <Presets />
    </Page>
  );
}

function FromPreset({ slug }: { slug: string }) {
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  const presets = api.useQuery("get", "/api/v1/agents/presets", {}, { staleTime: Infinity });
  const { data, error } = presets;
  const found = data?.items.find((one) => one.slug === slug);
  const places = (workspaces.data?.items ?? [])
    .filter(({ role }) => role !== "read")
    .map(({ id, name }) => ({ value: id, label: name }));
  const both = {
    data: workspaces.data && data ? true : undefined,
    error: workspaces.error ?? error,
    refetch: () => Promise.all([workspaces.refetch(), presets.refetch()]),
  };
  return (
    <Page
      wide
      title="New agent"
      heading={found ? `New agent: ${found.name}` : "New agent"}
      description={
        <>
          {found?.summary} Nothing is made before you say so.{" "}
          <TextLink to="/agents/new" underline="always">
            Start from something else
          </TextLink>
        </>
      }
    >
      <Loaded query={both} loading={<LoadingForm />}>
        {() =>
          places.length > 0 ? (
            <NewAgent slug={slug} preset={found} places={places} />
          ) : (
            <Empty title="There is no workspace where you may write">
              Ask an admin of a workspace for the role “write”, or make a workspace of your own.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

interface Props {
  slug: string;
  preset?: Preset;
  places: { value: string; label: string }[];
}

function NewAgent({ slug, preset, places }: Props) {
  const navigate = useNavigate();
  const first = places[0]?.value ?? "";
  const start = useMemo(() => newValues(first, preset), [first, preset]);
  return (
    <Editor
      id={`new:${slug}`}
      start={start}
      places={places}
      onSaved={({ id }) =>
        void navigate({ to: "/agents/$agentId", params: { agentId: id }, replace: true })
      }
    />
  );
}
