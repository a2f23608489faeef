import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

/** The pages about agents themselves. */
export function agentPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/agents",
      component: lazyRouteComponent(
        () => import("@/features/agents/agents/AgentsPage"),
        "AgentsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/agents/new",
      validateSearch: ({ preset }): { preset?: string } => ({
        preset: typeof preset === "string" && preset ? preset : undefined,
      }),
      component: lazyRouteComponent(
        () => import("@/features/agents/agents/NewAgentPage"),
        "NewAgentPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/agents/$agentId",
      component: lazyRouteComponent(
        () => import("@/features/agents/agents/AgentPage"),
        "AgentPage",
      ),
    }),
  ] as const;
}
