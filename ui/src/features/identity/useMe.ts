import { useSuspenseQuery } from "@tanstack/react-query";

import { whoAmI } from "@/api/queries";

/** The person who is signed in. Only for pages behind the log-in. */
export function useMe() {
  const { data, dataUpdatedAt } = useSuspenseQuery(whoAmI());
  const { user } = data;
  // A picture keeps its address when it changes: a new reading of the user asks for it again.
  return { ...user, isAdmin: user.role === "admin", avatarVersion: dataUpdatedAt };
}
