import { api, type Schemas } from "@/api/client";
import { queryClient } from "@/api/queries";

export type Choices = Schemas["NotificationChoices"];
export type Event = Choices["events"][number];

/** What a notification can be about. */
export const EVENTS: Record<Event, string> = {
  done: "A result is done",
  failed: "The work on a mail failed",
  waiting: "A director waits for you",
};

/** What a person has chosen, for all their browsers; another tab that changes it is followed. */
export const choicesReading = api.queryOptions("get", "/api/v1/users/me/notifications");

/** The choices, and how to change them; they take effect at once. */
export function useChoices() {
  const query = api.useQuery("get", "/api/v1/users/me/notifications");
  const saving = api.useMutation("put", "/api/v1/users/me/notifications", {
    onMutate: ({ body }) => {
      const before = queryClient.getQueryData<Choices>(choicesReading.queryKey);
      queryClient.setQueryData(choicesReading.queryKey, body);
      return before;
    },
    onError: (_error, _given, before) => queryClient.setQueryData(choicesReading.queryKey, before),
  });
  const keep = (body: Choices) => saving.mutate({ body });
  return { query, keep };
}
