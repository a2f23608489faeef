import { useQueryClient } from "@tanstack/react-query";

import { affectedByAny, type Noun } from "./affected";
import { readings } from "./refreshing";

/**
 * After something was changed from here, reads what shows it again, as the event about it will: at once, and before
 * the event is there.
 */
export function useRefresh() {
  const client = useQueryClient();
  return (...changed: Noun[]) =>
    Promise.all(affectedByAny(changed).map((path) => client.invalidateQueries(readings(path))));
}
