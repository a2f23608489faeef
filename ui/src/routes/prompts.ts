import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

/** What is open beside the list of prompts, which stays. */
export function promptPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/",
      component: lazyRouteComponent(
        () => import("@/features/agents/prompts/PromptsPage"),
        "NothingOpen",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "new",
      validateSearch: ({ template }): { template?: string } => ({
        template: typeof template === "string" && template ? template : undefined,
      }),
      component: lazyRouteComponent(
        () => import("@/features/agents/prompts/NewPromptPage"),
        "NewPromptPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "$promptId",
      component: lazyRouteComponent(
        () => import("@/features/agents/prompts/PromptPage"),
        "PromptPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "templates/$templateId",
      component: lazyRouteComponent(
        () => import("@/features/agents/prompts/TemplatePage"),
        "TemplatePage",
      ),
    }),
  ] as const;
}
