import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

/** The pages about mail that goes out, and whom it goes to. */
export function postPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/mail/outbox",
      component: lazyRouteComponent(
        () => import("@/features/mail/outbox/OutboxPage"),
        "OutboxPage",
      ),
    }),
    createRoute({
      getParentRoute,
      path: "/mail/contacts",
      component: lazyRouteComponent(
        () => import("@/features/mail/contacts/ContactsPage"),
        "ContactsPage",
      ),
    }),
  ] as const;
}
