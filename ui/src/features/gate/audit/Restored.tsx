import { Button } from "@mantine/core";

import { api } from "@/api/client";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

/** After a backup was restored the audit ends earlier than its seals say: a person says that this is why. */
export function Restored() {
  const refresh = useRefresh();
  const { ask, dialog } = useConfirm();
  const accept = api.useMutation("post", "/api/v1/audit/verify", {
    meta: { inForm: true },
    onSuccess: () => refresh("audit"),
  });
  const askToAccept = () =>
    ask({
      title: "Was a backup restored?",
      body: "If so, the entries after the backup are gone for good, and this is noted under your name. If nobody restored one, somebody has cut the audit: do not accept it, and find out who.",
      verb: "Yes, a backup was restored",
      run: () => accept.mutateAsync({ body: { acceptRestore: true } }),
    });
  return (
    <>
      <Button size="xs" variant="default" mt="xs" onClick={askToAccept}>
        A backup was restored…
      </Button>
      {dialog}
    </>
  );
}
