import type { Schemas } from "@/api/client";

import type { Account } from "../words";

type Source = Account["signature"]["source"];

/** An account as its form holds it. */
export function formValues(account: Account) {
  const { source, text } = account.signature;
  return {
    label: account.label,
    source,
    text: source === "own" ? text : "",
    // Empty: as it is.
    routeFrom: "",
    authservId: account.authservId ?? "",
  };
}

export type AccountValues = ReturnType<typeof formValues>;

/** What was changed, and nothing else. */
export function changed(values: AccountValues, account: Account): Schemas["AccountPatch"] {
  const before = formValues(account);
  const body: Schemas["AccountPatch"] = {};
  if (values.label.trim() !== before.label) body.label = values.label.trim();
  if (values.source !== before.source || values.text !== before.text) {
    body.signature = { source: values.source, text: values.source === "own" ? values.text : "" };
  }
  if (values.routeFrom) body.routeFrom = values.routeFrom as "new" | "week" | "all";
  if (values.authservId.trim() !== before.authservId) {
    body.authservId = values.authservId.trim() || null;
  }
  return body;
}

export const SOURCES: { value: Source; label: string }[] = [
  { value: "provider", label: "The one that is set at the provider" },
  { value: "own", label: "One of my own" },
  { value: "none", label: "None" },
];
