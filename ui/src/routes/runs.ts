import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { text } from "./text";

interface Wanted {
  status?: string;
  agent?: string;
  kind?: string;
  task?: string;
  schedule?: string;
}

/** What agents do and did: all runs, one with its steps, and two side by side. */
export function runPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/runs",
      validateSearch: (search): Wanted => ({
        status: text(search.status),
        agent: text(search.agent),
        kind: text(search.kind),
        task: text(search.task),
        schedule: text(search.schedule),
      }),
      component: lazyRouteComponent(() => import("@/features/runs/list/RunsPage"), "RunsPage"),
    }),
    createRoute({
      getParentRoute,
      path: "/runs/$runId",
      component: lazyRouteComponent(() => import("@/features/runs/run/RunPage"), "RunPage"),
    }),
    createRoute({
      getParentRoute,
      path: "/runs/$runId/compare",
      validateSearch: (search): { with?: string } => ({ with: text(search.with) }),
      component: lazyRouteComponent(
        () => import("@/features/runs/run/compare/ComparePage"),
        "ComparePage",
      ),
    }),
  ] as const;
}
