import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

import { useMe } from "@/features/identity/useMe";

/** When one's role changes, or another person has logged in from another tab, all is read and guarded anew. */
export function useRights() {
  const { id, role } = useMe();
  const router = useRouter();
  const client = useQueryClient();
  const known = useRef({ id, role });
  useEffect(() => {
    const before = known.current;
    known.current = { id, role };
    if (before.id === id && before.role === role) return;
    void router.invalidate();
    void client.resetQueries({
      predicate: ({ queryKey }) => queryKey[1] !== "/api/v1/auth/whoami",
    });
  }, [id, role, router, client]);
}
