import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { text } from "./text";

/** The pages about what agents may do, want to do and did. */
export function gatePages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/approvals",
      validateSearch: ({ tab }): { tab?: "recent" } => (tab === "recent" ? { tab } : {}),
      component: lazyRouteComponent(
        () => import("@/features/gate/approvals/ApprovalsPage"),
        "ApprovalsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/approvals/$approvalId",
      component: lazyRouteComponent(
        () => import("@/features/gate/approvals/ApprovalPage"),
        "ApprovalPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/activity",
      validateSearch: (search): { caller?: string; tool?: string; status?: string } => ({
        caller: text(search.caller),
        tool: text(search.tool),
        status: text(search.status),
      }),
      component: lazyRouteComponent(
        () => import("@/features/gate/activity/ActivityPage"),
        "ActivityPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/activity/$actionId",
      component: lazyRouteComponent(
        () => import("@/features/gate/activity/ActionPage"),
        "ActionPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/policies",
      component: lazyRouteComponent(
        () => import("@/features/gate/policies/PoliciesPage"),
        "PoliciesPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/redaction",
      component: lazyRouteComponent(
        () => import("@/features/gate/redaction/RedactionPage"),
        "RedactionPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/audit",
      component: lazyRouteComponent(() => import("@/features/gate/audit/AuditPage"), "AuditPage"),
    }),
  ] as const;
}
