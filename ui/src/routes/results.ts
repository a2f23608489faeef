import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

import type { Sought } from "@/features/cases/useSought";
import { CASE_STATES } from "@/features/cases/words";
import { text } from "./text";

/** What came of the mail. */
export function resultPages<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: "/results",
      validateSearch: (search): Sought => ({
        workspace: text(search.workspace),
        director: text(search.director),
        state: CASE_STATES.find((state) => state === search.state),
        // A query may look like a number.
        q: text(typeof search.q === "number" ? String(search.q) : search.q),
        mail: text(search.mail),
        case: text(search.case),
        item: text(search.item),
      }),
      component: lazyRouteComponent(() => import("@/features/cases/ResultsPage"), "ResultsPage"),
    }),
  ] as const;
}
