import { api } from "@/api/client";
import { useDialog } from "@/routes/useDialog";

/** Whether everything is stopped, by whom and why. */
export function useHalt() {
  const { data } = api.useQuery("get", "/api/v1/halt");
  return data;
}

/** The dialog that stops everything; its name is in the address. */
export const useStopDialog = () => useDialog("stop");
