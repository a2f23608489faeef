import { useNavigate, useSearch } from "@tanstack/react-router";

import type { Schemas } from "@/api/client";

export type Workspace = Schemas["WorkspaceOut"];
export type LibraryFile = Schemas["FileOut"];
export type FileText = Schemas["FileTextOut"];
export type FileVersion = Schemas["FileVersionOut"];

/** What the page shows: it is all in the address, so that it can be kept, sent and gone back to. */
export interface Browsed {
  workspace?: string;
  folder?: string;
  file?: string;
  /** The file's text is being written. */
  edit?: true;
  look?: "grid";
  /** What is searched for: words, and which files. */
  q?: string;
  within?: string;
  type?: string;
  tag?: string;
  untagged?: true;
  after?: string;
  before?: string;
}

/** Shows something else on the page; what is not named stays. */
export type Go = (change: Browsed) => void;

export const FILES = "/api/v1/workspaces/{workspace_id}/files";

export function useBrowsed() {
  const browsed = useSearch({ from: "/shell/library" });
  const navigate = useNavigate();
  const go: Go = (change) =>
    void navigate({
      to: "/library",
      search: (before) => ({ ...before, ...change }),
      resetScroll: false,
    });
  return { browsed, go };
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const notebookOf = (path: string) => path.split("/")[0] ?? "";

/** Where a browser finds the bytes of a file, or of one of its versions. */
export function contentOf(workspace: string, path: string, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ path, ...more });
  return `/api/v1/workspaces/${workspace}/files/content?${query}`;
}
