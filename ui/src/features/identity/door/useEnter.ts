import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

import type { Schemas } from "@/api/client";
import { whoAmI } from "@/api/queries";

/** What happens once someone is signed in: forget what was known before, and go in. */
export function useEnter(next = "/") {
  const client = useQueryClient();
  const router = useRouter();
  return (who: Schemas["WhoAmI"]) => {
    // The page of a one-time link is still there for a moment, and must not look at it again.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "link" });
    client.setQueryData(whoAmI().queryKey, who);
    router.history.push(next);
  };
}
