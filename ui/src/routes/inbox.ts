import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

const TABS = ["guidelines", "settings"] as const;

interface Sought {
  workspace?: string;
  tab?: (typeof TABS)[number];
}

/** Papers that arrived. */
export function inboxPages<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: "/inbox",
      validateSearch: ({ workspace, tab }): Sought => ({
        workspace: typeof workspace === "string" && workspace ? workspace : undefined,
        tab: TABS.find((one) => one === tab),
      }),
      component: lazyRouteComponent(() => import("@/features/inbox/InboxPage"), "InboxPage"),
    }),
  ] as const;
}
