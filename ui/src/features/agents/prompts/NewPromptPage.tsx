import { NativeSelect } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

import { api } from "@/api/client";
import { Empty, Failed, Loaded, LoadingForm } from "@/components/states";

import { Back } from "./Back";
import { newBase } from "./content";
import { Editor } from "./Editor";

/** A prompt that is not there yet: empty, or as a template says. */
export function NewPromptPage() {
  const { template } = useSearch({ strict: false });
  const workspaces = api.useQuery("get", "/api/v1/workspaces");
  return (
    <>
      <Back />
      <Loaded query={workspaces} loading={<LoadingForm />}>
        {({ items }) => {
          const places = items
            .filter(({ role }) => role !== "read")
            .map(({ id, name }) => ({ value: id, label: name }));
          return places.length > 0 ? (
            <NewPrompt key={template ?? ""} template={template} places={places} />
          ) : (
            <Empty title="There is no workspace where you may write">
              Ask an admin of a workspace for the role “write”, or make a workspace of your own.
            </Empty>
          );
        }}
      </Loaded>
    </>
  );
}

interface Props {
  template?: string;
  places: { value: string; label: string }[];
}

function NewPrompt({ template = "", places }: Props) {
  const navigate = useNavigate();
  const params = { path: { template_id: template } };
  const { data, error, refetch } = api.useQuery(
    "get",
    "/api/v1/prompt-templates/{template_id}",
    { params },
    { enabled: template !== "" },
  );
  const first = places[0]?.value ?? "";
  const base = useMemo(() => newBase(first, data), [first, data]);
  if (error) return <Failed error={error} retry={refetch} />;
  if (template && !data) return <LoadingForm />;
  return (
    <Editor
      id={`new:${template}`}
      kind="prompt"
      base={base}
      mayWrite
      places={places}
      actions={<StartFrom template={template} />}
      onSaved={({ id }) =>
        void navigate({ to: "/prompts/$promptId", params: { promptId: id }, replace: true })
      }
    />
  );
}

/** Another beginning; what was written from the one before is kept with it. */
function StartFrom({ template }: { template: string }) {
  const navigate = useNavigate();
  const templates = api.useQuery("get", "/api/v1/prompt-templates").data?.items ?? [];
  return (
    <NativeSelect
      size="xs"
      aria-label="Start from a template"
      value={template}
      data={[
        { value: "", label: "Start empty" },
        ...templates.map(({ id, name }) => ({ value: id, label: `From: ${name}` })),
      ]}
      onChange={(event) => {
        const chosen = event.currentTarget.value || undefined;
        void navigate({ to: "/prompts/new", search: { template: chosen }, replace: true });
      }}
    />
  );
}
