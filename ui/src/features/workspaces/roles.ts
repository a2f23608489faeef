import type { Schemas } from "@/api/client";

export type WorkspaceRole = Schemas["WorkspaceOut"]["role"];

/** The roles in a workspace, as people call them. */
export const ROLES: { value: WorkspaceRole; label: string }[] = [
  { value: "read", label: "Can read" },
  { value: "write", label: "Can write" },
  { value: "admin", label: "Admin" },
];

export const roleName = (role: WorkspaceRole) =>
  ROLES.find(({ value }) => value === role)?.label ?? role;
