import { Anchor } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import type { Mail } from "../words";
import { callFor, drafts, type Kind, type Letter, type Start, useLetterKey } from "./letters";

interface Held {
  outbox_id: string;
  goes_out_at: string;
}

interface Options {
  workspaceId: string;
  kind: Kind;
  mail: Mail | undefined;
  from?: Start;
  /** Back to the letter, as it was. */
  reopen: () => void;
}

/** Sends under one's own name. It is held for a moment, in which it can be taken back. */
export function useSending({ workspaceId, kind, mail, from, reopen }: Options) {
  const navigate = useNavigate();
  const key = useLetterKey(kind, mail, from);
  const refresh = useRefresh();
  const use = api.useMutation("post", "/api/v1/workspaces/{workspace_id}/tools/{tool}", {
    meta: { inForm: true },
    onSettled: () => refresh("outbox"),
  });
  const cancel = api.useMutation("post", "/api/v1/outbox/{outgoing_id}/cancel", {
    onSettled: () => refresh("outbox"),
  });
  const outbox = (
    <Anchor
      href="/mail/outbox"
      onClick={(event) => {
        event.preventDefault();
        void navigate({ to: "/mail/outbox" });
      }}
    >
      Outbox
    </Anchor>
  );
  const takeBack = async (id: string, letter: Letter) => {
    await cancel.mutateAsync({ params: { path: { outgoing_id: id } } });
    drafts.keep(key, letter);
    reopen();
    notify.done("It was taken back, and not sent.");
  };
  const tell = ({ status, reason, result }: Schemas["ToolResultOut"], letter: Letter) => {
    if (status === "pending") return notify.done(`It waits for an answer. ${reason ?? ""}`);
    const { outbox_id: id, goes_out_at: at } = result as Held;
    const seconds = Math.round((new Date(at).getTime() - Date.now()) / 1000);
    if (seconds < 2) return notify.done("It is on its way.");
    const said = (
      <>
        Held for {inWords(seconds)}, then it goes out. {outbox}
      </>
    );
    return notify.held(said, seconds, () => takeBack(id, letter));
  };
  const send = async (letter: Letter) => {
    const { tool, args } = callFor(kind, mail, letter);
    const params = { path: { workspace_id: workspaceId, tool } };
    try {
      const done = await use.mutateAsync({ params, body: { arguments: args } });
      drafts.keep(key, null);
      tell(done, letter);
    } catch (error) {
      throw atFields(error);
    }
  };
  return { send, isSending: use.isPending };
}

/** "20 s", "10 minutes". */
const inWords = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;

/** The tool's fields are the form's own. */
function atFields(error: unknown): unknown {
  if (typeof error !== "object" || error === null || !("errors" in error)) return error;
  const errors = Object.entries(error.errors as Record<string, string[]>).map(([path, told]) => [
    path.replace(/^arguments\./, ""),
    told,
  ]);
  return { ...error, errors: Object.fromEntries(errors) as Record<string, string[]> };
}
