import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { adminOnly } from "./guard";

/** The pages under /settings. */
export function settingsPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "profile",
      component: lazyRouteComponent(
        () => import("@/features/identity/profile/ProfilePage"),
        "ProfilePage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "sessions",
      component: lazyRouteComponent(
        () => import("@/features/identity/sessions/SessionsPage"),
        "SessionsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "notifications",
      component: lazyRouteComponent(
        () => import("@/features/notify/desktop/NotificationsPage"),
        "NotificationsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "tokens",
      component: lazyRouteComponent(
        () => import("@/features/identity/tokens/TokensPage"),
        "TokensPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "workspaces",
      component: lazyRouteComponent(
        () => import("@/features/workspaces/WorkspacesPage"),
        "WorkspacesPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "workspaces/$workspaceId",
      component: lazyRouteComponent(
        () => import("@/features/workspaces/WorkspacePage"),
        "WorkspacePage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "clients",
      component: lazyRouteComponent(
        () => import("@/features/mcp/clients/ClientsPage"),
        "ClientsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "folders",
      component: lazyRouteComponent(
        () => import("@/features/library/notebooks/FoldersPage"),
        "FoldersPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "models",
      component: lazyRouteComponent(() => import("@/features/llm/models/ModelsPage"), "ModelsPage"),
    }),
    createRoute({
      getParentRoute,
      path: "users",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/identity/users/UsersPage"),
        "UsersPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "providers",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/identity/providers/ProvidersPage"),
        "ProvidersPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "office",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/operations/office/OfficePage"),
        "OfficePage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "webhooks",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/notify/webhooks/WebhooksPage"),
        "WebhooksPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "webhooks/$webhookId",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/notify/webhooks/WebhookPage"),
        "WebhookPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "webhooks/$webhookId/deliveries/$deliveryId",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/notify/webhooks/DeliveryPage"),
        "DeliveryPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "backups",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/operations/backups/BackupsPage"),
        "BackupsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "changes",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/operations/changes/ChangesPage"),
        "ChangesPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "diagnostics",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/diagnostics/DiagnosticsPage"),
        "DiagnosticsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "sign-ins",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/identity/signins/SignInsPage"),
        "SignInsPage",
      ),
    }),
  ] as const;
}
