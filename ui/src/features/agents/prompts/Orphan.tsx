import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";

import { isGone } from "@/api/problem";
import { Empty } from "@/components/states";
import { useDraftKey } from "@/drafts/drafts";

import { newBase } from "./content";
import { keep, useKept } from "./drafts";

/** The prompt was removed while someone wrote on it: their words are not lost with it. */
export function Orphan({ id, error }: { id: string; error: unknown }) {
  const keyOf = useDraftKey();
  const navigate = useNavigate();
  const draft = useKept(keyOf(id));
  if (!draft || !isGone(error)) return null;
  const adopt = () => {
    keep(keyOf("new:"), { ...draft, base: newBase(draft.workspaceId) });
    keep(keyOf(id), null);
    void navigate({ to: "/prompts/new" });
  };
  return (
    <Empty
      title="It was removed meanwhile, but your changes are still here"
      action={
        <Button size="xs" onClick={adopt}>
          Make a new prompt of them
        </Button>
      }
    />
  );
}
