import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

import type { Sought } from "@/features/mail/reader/usePlace";
import { text } from "./text";

const ROLES: Sought["role"][] = [
  "flagged",
  "sent",
  "archive",
  "drafts",
  "junk",
  "trash",
  "everything",
];

/** Mail, and the filters that give it to agents. */
export function mailPages<Parent extends AnyRoute>(parent: Parent) {
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      path: "/mail",
      validateSearch: (search): Sought => ({
        workspace: text(search.workspace),
        account: text(search.account),
        folder: text(search.folder),
        role: ROLES.find((role) => role === search.role),
        unread: search.unread === true || undefined,
        // A query may look like a number.
        q: text(typeof search.q === "number" ? String(search.q) : search.q),
        order: search.order === "newest" ? "newest" : undefined,
        mail: text(search.mail),
      }),
      component: lazyRouteComponent(() => import("@/features/mail/reader/MailPage"), "MailPage"),
    }),
    createRoute({
      getParentRoute,
      path: "/mail/filters",
      validateSearch: (search): { workspace?: string } => ({ workspace: text(search.workspace) }),
      component: lazyRouteComponent(
        () => import("@/features/mail/filters/FiltersPage"),
        "FiltersPage",
      ),
    }),
  ] as const;
}
