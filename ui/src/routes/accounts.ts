import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { adminOnly } from "./guard";
import { text } from "./text";

interface Arrival {
  /** The account that was connected at its provider just now. */
  connected?: string;
  /** What was asked for there and not given. */
  without?: string;
}

/** The pages under /settings about accounts, and what speaks to their providers. */
export function accountPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "accounts",
      validateSearch: (search): Arrival => ({
        connected: text(search.connected),
        without: text(search.without),
      }),
      component: lazyRouteComponent(
        () => import("@/features/accounts/list/AccountsPage"),
        "AccountsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "accounts/connect",
      validateSearch: (search): { connector?: string } => ({ connector: text(search.connector) }),
      component: lazyRouteComponent(
        () => import("@/features/accounts/connect/ConnectPage"),
        "ConnectPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "connectors",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/accounts/connectors/ConnectorsPage"),
        "ConnectorsPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "connectors/$connectorId",
      beforeLoad: adminOnly,
      component: lazyRouteComponent(
        () => import("@/features/accounts/connectors/ConnectorPage"),
        "ConnectorPage",
      ),
    }),
  ] as const;
}
