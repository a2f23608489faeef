import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

import type { Browsed } from "@/features/library/browser/browsed";

const text = (value: unknown) =>
  typeof value === "number"
    ? String(value)
    : typeof value === "string" && value
      ? value
      : undefined;

/** The pages of the library. */
export function libraryPages<Parent extends AnyRoute>(parent: Parent) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: "/library",
      validateSearch: (search): Browsed => ({
        workspace: text(search.workspace),
        folder: text(search.folder),
        file: text(search.file),
        edit: search.edit === true ? true : undefined,
        look: search.look === "grid" ? "grid" : undefined,
        q: text(search.q),
        within: text(search.within),
        type: text(search.type),
        tag: text(search.tag),
        untagged: search.untagged === true ? true : undefined,
        after: text(search.after),
        before: text(search.before),
      }),
      component: lazyRouteComponent(
        () => import("@/features/library/browser/LibraryPage"),
        "LibraryPage",
      ),
    }),
  ] as const;
}
