import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

/** Conversations with agents. */
export function sessionPages<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: "/sessions/$sessionId",
      component: lazyRouteComponent(
        () => import("@/features/runs/session/SessionPage"),
        "SessionPage",
      ),
    }),
  ] as const;
}
