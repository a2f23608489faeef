import { useQueryClient } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { useRefresh } from "@/live/useRefresh";

import type { Kind, Saved } from "./content";

type Change = Schemas["PromptChange"];
type New = Schemas["PromptIn"];

/** Making, changing and removing prompts, and the same for templates. */
export function useActions(kind: Kind) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const inForm = { meta: { inForm: true } };
  const makePrompt = api.useMutation("post", "/api/v1/prompts", inForm);
  const makeTemplate = api.useMutation("post", "/api/v1/prompt-templates", inForm);
  const changePrompt = api.useMutation("put", "/api/v1/prompts/{prompt_id}", inForm);
  const changeTemplate = api.useMutation("put", "/api/v1/prompt-templates/{template_id}", inForm);
  const removePrompt = api.useMutation("delete", "/api/v1/prompts/{prompt_id}");
  const removeTemplate = api.useMutation("delete", "/api/v1/prompt-templates/{template_id}");

  /** What the server answered is shown at once, and the lists are read again. */
  const known = (saved: Saved) => {
    const options =
      "builtIn" in saved
        ? api.queryOptions("get", "/api/v1/prompt-templates/{template_id}", {
            params: { path: { template_id: saved.id } },
          })
        : api.queryOptions("get", "/api/v1/prompts/{prompt_id}", {
            params: { path: { prompt_id: saved.id } },
          });
    client.setQueryData(options.queryKey, saved);
    void refresh("prompt");
    return saved;
  };
  return {
    create: async (body: New, as: Kind = kind): Promise<Saved> =>
      known(await (as === "prompt" ? makePrompt : makeTemplate).mutateAsync({ body })),
    change: async (id: string, body: Change): Promise<Saved> =>
      known(
        kind === "prompt"
          ? await changePrompt.mutateAsync({ params: { path: { prompt_id: id } }, body })
          : await changeTemplate.mutateAsync({ params: { path: { template_id: id } }, body }),
      ),
    /** `leave` goes away from its page, which else would say that it is gone. */
    remove: async (id: string, as: Kind = kind, leave?: () => Promise<void>) => {
      if (as === "prompt") await removePrompt.mutateAsync({ params: { path: { prompt_id: id } } });
      else await removeTemplate.mutateAsync({ params: { path: { template_id: id } } });
      await leave?.();
      await refresh("prompt");
    },
  };
}
