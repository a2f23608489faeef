import { redirect } from "@tanstack/react-router";

import { statusOf } from "@/api/problem";
import { queryClient, whoAmI } from "@/api/queries";

/** Lets signed-in people through and sends others to the log-in page. */
export async function signedIn({ location }: { location: { href: string } }) {
  try {
    await queryClient.query({ ...whoAmI(), staleTime: "static" });
  } catch (error) {
    if (statusOf(error) === 401) throw redirect({ to: "/login", search: { next: location.href } });
    throw error;
  }
}

/** Admin pages exist for admins only; others are sent to their profile. */
export async function adminOnly() {
  const { user } = await queryClient.query({ ...whoAmI(), staleTime: "static" });
  if (user.role !== "admin") throw redirect({ to: "/settings/profile" });
}

/** Only a path of this site may be returned to; `//host` and `/\host` lead elsewhere. */
export function ownPath(next: unknown): string | undefined {
  return typeof next === "string" && /^\/(?![/\\])[!-~]*$/.test(next) ? next : undefined;
}
