import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import { forgetStoredDrafts } from "@/drafts/drafts";

/** The way out. */
export function useLogOut() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { mutate, isPending } = api.useMutation("post", "/api/v1/auth/logout", {
    onSuccess: async () => {
      forgetStoredDrafts();
      await navigate({ to: "/login" });
      client.clear();
    },
  });
  return { logOut: () => mutate({}), isPending };
}
