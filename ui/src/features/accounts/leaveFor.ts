import { notify } from "@/components/notify";

/** Leaves for a provider's page. An address that is no web page is not followed. */
export function leaveFor(address: string) {
  const { protocol } = new URL(address, window.location.href);
  if (protocol === "https:" || protocol === "http:") window.location.assign(address);
  else notify.failed("The connector names a consent page that is not on the web.");
}
