import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

/** What is beside the list of conversations: a new one, or one of them. */
export function chatPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/",
      component: lazyRouteComponent(() => import("@/features/chat/NewThread"), "ChatIndex"),
    }),
    createRoute({
      getParentRoute,
      path: "/new",
      validateSearch: (search): { agent?: string } =>
        typeof search.agent === "string" ? { agent: search.agent } : {},
      component: lazyRouteComponent(() => import("@/features/chat/NewThread"), "NewThread"),
    }),
    createRoute({
      getParentRoute,
      path: "/$threadId",
      component: lazyRouteComponent(
        () => import("@/features/chat/thread/ThreadPage"),
        "ThreadPage",
      ),
    }),
  ] as const;
}
