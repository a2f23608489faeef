import { Button } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Loaded, LoadingForm } from "@/components/states";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";

import { Back } from "./Back";
import { baseOf } from "./content";
import { Editor } from "./Editor";
import { EditorMenu } from "./EditorMenu";
import { Orphan } from "./Orphan";

const BUILT_IN = "This comes with Bailiwick. Use it to start a prompt of your own.";

/** One template, to start a prompt from; one's own can be changed. */
export function TemplatePage() {
  const { templateId } = useParams({ strict: false });
  const id = templateId ?? "";
  const template = api.useQuery("get", "/api/v1/prompt-templates/{template_id}", {
    params: { path: { template_id: id } },
  });
  const mayWrite = useMayWrite();
  const use = (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => <Link to="/prompts/new" search={{ template: id }} {...props} />}
    >
      Use this template
    </Button>
  );
  return (
    <>
      <Back />
      <Orphan id={id} error={template.error} />
      <Loaded query={template} loading={<LoadingForm />}>
        {(saved) => (
          <Editor
            key={saved.id}
            id={saved.id}
            kind="template"
            saved={saved}
            base={baseOf(saved)}
            note={saved.builtIn ? BUILT_IN : undefined}
            mayWrite={saved.workspaceId !== null && mayWrite(saved.workspaceId)}
            actions={
              <>
                {use}
                <EditorMenu kind="template" saved={saved} />
              </>
            }
          />
        )}
      </Loaded>
    </>
  );
}
