import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { loginOptions } from "@/api/queries";

const PRODUCT = "Bailiwick";

/** What this office is called. */
export function useOfficeName(): string {
  const { data } = useQuery({ ...loginOptions(), staleTime: 300_000 });
  return data?.instanceName ?? PRODUCT;
}

export function useTitle(page: string) {
  const office = useOfficeName();
  useEffect(() => {
    document.title = `${page} · ${office}`;
  }, [page, office]);
}
