import { Box, Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";

import { isGone } from "@/api/problem";
import { Empty } from "@/components/states";
import { useDraftKey } from "@/drafts/drafts";

import { keep, useKept } from "./drafts";
import { newValues } from "./values";

/** The agent was deleted while someone changed it: their work is not lost with it. */
export function Orphan({ id, error }: { id: string; error: unknown }) {
  const key = useDraftKey()(id);
  const blank = useDraftKey()("new:blank");
  const navigate = useNavigate();
  const draft = useKept(key);
  if (!draft || !isGone(error)) return null;
  const adopt = () => {
    const { values } = draft;
    keep(blank, { values, base: { revision: 0, values: newValues(values.workspaceId) } });
    keep(key, null);
    void navigate({ to: "/agents/new", search: { preset: "blank" } });
  };
  return (
    <Box mb="md">
      <Empty
        title="It was deleted meanwhile, but your changes are still here"
        action={
          <Button size="xs" onClick={adopt}>
            Make a new agent of them
          </Button>
        }
      />
    </Box>
  );
}
