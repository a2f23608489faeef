import type { Schemas } from "@/api/client";

export const ROLES: { value: Schemas["UserOut"]["role"]; label: string }[] = [
  { value: "user", label: "User" },
  { value: "admin", label: "Admin" },
];
