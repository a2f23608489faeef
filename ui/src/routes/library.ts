import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

import type { Browsed } from "@/features/library/browser/useLibrary";

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
        q: text(search.q),
        look: search.look === "grid" ? "grid" : undefined,
      }),
      component: lazyRouteComponent(
        () => import("@/features/library/browser/LibraryPage"),
        "LibraryPage",
      ),
    }),
  ] as const;
}
