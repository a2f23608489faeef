import { api } from "@/api/client";

/** All papers in the inboxes that the person may see. */
export const usePapers = () => api.useQuery("get", "/api/v1/inbox/files");
