import { TextInput, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Row } from "@/components/Rows";
import { Section } from "@/components/Section";
import { Tag } from "@/components/StateMark";
import { Empty } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { useDraftKey } from "@/drafts/drafts";
import { useWorkspaceName } from "@/features/gate/shared/useWorkspaces";

import { useKept } from "./drafts";

/** Prompts and templates by name. */
export function PromptList() {
  const [text, setText] = useState("");
  const prompts = api.useQuery("get", "/api/v1/prompts");
  const templates = api.useQuery("get", "/api/v1/prompt-templates");
  const none = text ? (
    <Empty title="Nothing is called that" />
  ) : (
    <Empty title="No prompt yet">Make one, or start from a template below.</Empty>
  );
  return (
    <>
      <TextInput
        mb="md"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        aria-label="Find a prompt or a template"
        placeholder="Find"
        leftSection={<IconSearch size={16} aria-hidden />}
        data-filter
      />
      <Section title="Your prompts">
        <Listing label="Prompts" query={found(prompts, text)} empty={none} expected={2}>
          {(prompt) => <PromptRow key={prompt.id} prompt={prompt} />}
        </Listing>
      </Section>
      <Section title="Templates">
        <Listing
          label="Templates"
          query={found(templates, text)}
          empty={<Empty title="Nothing is called that" />}
          expected={8}
        >
          {(template) => <TemplateRow key={template.id} template={template} />}
        </Listing>
      </Section>
    </>
  );
}

function found<T extends { name: string; description: string }>(
  query: { data: { items: T[] } | undefined; error: unknown; refetch: () => unknown },
  text: string,
) {
  const wanted = text.trim().toLowerCase();
  const fits = ({ name, description }: T) =>
    `${name} ${description}`.toLowerCase().includes(wanted);
  const { data, error, refetch } = query;
  return { data: data && { items: data.items.filter(fits) }, error, refetch };
}

function PromptRow({ prompt }: { prompt: Schemas["PromptSummaryOut"] }) {
  const workspaceName = useWorkspaceName();
  return (
    <Row
      title={
        <TextLink to="/prompts/$promptId" params={{ promptId: prompt.id }} fw={500}>
          {prompt.name}
        </TextLink>
      }
      marks={<Unsaved id={prompt.id} />}
      meta={[workspaceName(prompt.workspaceId), <When at={prompt.updatedAt} />]}
    />
  );
}

function TemplateRow({ template }: { template: Schemas["TemplateSummaryOut"] }) {
  const workspaceName = useWorkspaceName();
  return (
    <Row
      title={
        <TextLink to="/prompts/templates/$templateId" params={{ templateId: template.id }} fw={500}>
          {template.name}
        </TextLink>
      }
      marks={<Unsaved id={template.id} />}
      meta={[template.workspaceId ? workspaceName(template.workspaceId) : "built in"]}
    />
  );
}

function Unsaved({ id }: { id: string }) {
  const keyOf = useDraftKey();
  if (!useKept(keyOf(id))) return null;
  return (
    <Tag>
      unsaved<VisuallyHidden> changes</VisuallyHidden>
    </Tag>
  );
}
