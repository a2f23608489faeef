import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, type Schemas } from "@/api/client";
import { byPage } from "@/api/queries";
import { useRefresh } from "@/live/useRefresh";

import { type Session, sessionReading } from "../transcript/useSession";
import { linesOf, otherRuns, withoutEnding } from "./lines";

export type Thread = Schemas["ThreadOut"];
export type ThreadMessage = Schemas["MessageOut"];

const ONE = "/api/v1/threads/{thread_id}";
const MESSAGES = `${ONE}/messages` as const;
const SIZE = 100;

/** The reading of one thread. */
export const threadReading = (id: string) =>
  api.queryOptions("get", ONE, { params: { path: { thread_id: id } } });

/** The branch of a thread that is shown, the newest part first; more is read when someone scrolls up. */
export function useLines(thread: Thread) {
  const path = { thread_id: thread.id };
  const read = api.useInfiniteQuery(
    "get",
    MESSAGES,
    { params: { path, query: { hidden: true, PageSize: SIZE } } },
    byPage,
  );
  const messages = useMemo(
    () => read.data?.pages.flatMap((page) => page.items).reverse(),
    [read.data],
  );
  const runId = thread.runId ?? "";
  // Whoever a thread is shared with may not see what is behind it.
  const shown = useQuery({ ...sessionReading(runId), enabled: runId !== "", retry: false });
  const session = shown.data?.id === runId ? shown.data : undefined;
  const others = useQueries({
    queries: (session || shown.error ? otherRuns(messages ?? [], session) : []).map((id) => ({
      ...sessionReading(id),
      retry: false,
    })),
    combine: (found) => found.flatMap(({ data }) => data ?? []),
  });
  const lines = useMemo(
    () =>
      messages &&
      withoutEnding(linesOf(messages, session ? [session, ...others] : others), session),
    [messages, session, others],
  );
  const older = () => {
    if (read.hasNextPage && !read.isFetching) void read.fetchNextPage();
  };
  return { read, messages, lines, session, older };
}

/** What a person can do in a thread. Each promise says whether it was done; what went wrong is told. */
export function useThreadVerbs(thread: Thread) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const path = { thread_id: thread.id };
  const reading = threadReading(thread.id);
  const meanwhile = (known: Partial<Thread>) =>
    client.setQueryData(reading.queryKey, (read: Thread | undefined) =>
      read ? { ...read, ...known } : read,
    );
  const onSuccess = (fresh: Thread) => {
    meanwhile(fresh);
    return refresh("message");
  };
  const posting = api.useMutation("post", MESSAGES, {
    onSuccess: ({ runId }) => {
      // The answer may begin before the thread is read again: listen to it at once.
      meanwhile({ runId, runStatus: "pending" });
      if (runId) void client.invalidateQueries(sessionReading(runId));
      return refresh("message");
    },
  });
  const anew = api.useMutation("post", `${MESSAGES}/{message_id}/regenerate`, {
    onSuccess: () => refresh("message"),
  });
  const stopping = api.useMutation("post", `${ONE}/stop`, { onSuccess });
  const changing = api.useMutation("patch", ONE, { onSuccess });
  const done = (promise: Promise<unknown>) =>
    promise.then(
      () => true,
      () => false,
    );
  return {
    post: (body: Schemas["MessageIn"]) => done(posting.mutateAsync({ params: { path }, body })),
    posting: posting.isPending,
    regenerate: (id: string) =>
      done(anew.mutateAsync({ params: { path: { ...path, message_id: id } } })),
    stop: () => done(stopping.mutateAsync({ params: { path } })),
    stopping: stopping.isPending,
    change: (body: Schemas["ThreadChangeIn"]) =>
      done(changing.mutateAsync({ params: { path }, body })),
  };
}

export type ThreadVerbs = ReturnType<typeof useThreadVerbs>;

/** Whether an agent is at work in a thread, or waits for a person. */
export const isAtWork = (session: Session | undefined, { runStatus }: Thread) =>
  ["pending", "running", "waiting"].includes(session?.status ?? runStatus ?? "") &&
  (session === undefined || session.messages.length > 0);
