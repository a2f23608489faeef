import { useParams } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Loaded, LoadingForm } from "@/components/states";
import { useMayWrite } from "@/features/gate/shared/useWorkspaces";

import { Back } from "./Back";
import { baseOf } from "./content";
import { Editor } from "./Editor";
import { EditorMenu } from "./EditorMenu";
import { Orphan } from "./Orphan";

/** One prompt, to read or to change. */
export function PromptPage() {
  const { promptId } = useParams({ strict: false });
  const id = promptId ?? "";
  const prompt = api.useQuery("get", "/api/v1/prompts/{prompt_id}", {
    params: { path: { prompt_id: id } },
  });
  const mayWrite = useMayWrite();
  return (
    <>
      <Back />
      <Orphan id={id} error={prompt.error} />
      <Loaded query={prompt} loading={<LoadingForm />}>
        {(saved) => (
          <Editor
            key={saved.id}
            id={saved.id}
            kind="prompt"
            saved={saved}
            base={baseOf(saved)}
            mayWrite={mayWrite(saved.workspaceId)}
            actions={<EditorMenu kind="prompt" saved={saved} />}
          />
        )}
      </Loaded>
    </>
  );
}
