import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

/** What agents are given to do: once, or again and again. */
export function taskPages<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: "/tasks",
      validateSearch: ({ tab }): { tab?: "schedules" } =>
        tab === "schedules" ? { tab: "schedules" } : {},
      component: lazyRouteComponent(() => import("@/features/runs/tasks/TasksPage"), "TasksPage"),
    }),
  ] as const;
}
