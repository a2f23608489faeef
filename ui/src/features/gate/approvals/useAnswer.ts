import { useQueryClient } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { useRefresh } from "@/live/useRefresh";

type Approval = Schemas["ApprovalOut"];

const ONE = "/api/v1/approvals/{approval_id}";

/** The reading of one approval. */
export const readingOf = (id: string) =>
  api.queryOptions("get", ONE, { params: { path: { approval_id: id } } });

type Answerable = Pick<Approval, "id" | "binding">;

interface Options {
  /** A form shows what goes wrong. */
  inForm?: boolean;
  onDone?: () => void;
  onError?: (error: unknown) => void;
}

/** Allows or denies a call. Whatever comes of it, even that somebody was quicker, is read again. */
export function useAnswer({ id, binding }: Answerable, { inForm, onDone, onError }: Options = {}) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const options = {
    meta: { inForm },
    onSuccess: async (answered: Approval) => {
      client.setQueryData(readingOf(id).queryKey, answered);
      onDone?.();
      await refresh("approval");
    },
    onError: async (error: unknown) => {
      onError?.(error);
      await refresh("approval");
    },
  };
  const allowing = api.useMutation("post", "/api/v1/approvals/{approval_id}/allow", options);
  const denying = api.useMutation("post", "/api/v1/approvals/{approval_id}/deny", options);
  const params = { path: { approval_id: id } };
  return {
    // A yes is for the card that was looked at, and no other.
    allow: (edited: Record<string, unknown> | null = null) =>
      allowing.mutate({ params, body: { arguments: edited, binding } }),
    deny: (note: string | null = null) => denying.mutate({ params, body: { note } }),
    allowing: allowing.isPending,
    denying: denying.isPending,
  };
}
