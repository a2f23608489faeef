import { api } from "@/api/client";

/** Says what a model is called. */
export function useModelName(): (id: string | null) => string {
  const { data } = api.useQuery("get", "/api/v1/models");
  return (id) => {
    if (id === null) return "The agent's own";
    return data?.items.find((model) => model.id === id)?.name ?? "One that is gone";
  };
}
