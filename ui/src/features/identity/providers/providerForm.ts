import type { Schemas } from "@/api/client";
import { needed } from "@/api/forms";

type Provider = Schemas["ProviderOut"];

const GOOGLE_NAME = "Google";

/** A provider as the form holds it: empty text instead of nothing. */
export function formValues(provider?: Provider) {
  return {
    preset: provider?.preset ?? "google",
    name: provider?.name ?? GOOGLE_NAME,
    issuer: provider?.issuer ?? "",
    clientId: provider?.clientId ?? "",
    clientSecret: "",
    allowedDomains: provider?.allowedDomains ?? [],
    createUsers: provider?.createUsers ?? false,
    adminClaim: provider?.adminClaim ?? "",
    adminValues: provider?.adminValues ?? [],
    bearerAudience: provider?.bearerAudience ?? "",
  };
}

export type ProviderValues = ReturnType<typeof formValues>;

export const checks = {
  name: needed("A name"),
  clientId: needed("The client ID"),
  issuer: (issuer: string, { preset }: ProviderValues) =>
    preset === "google" || /^https?:\/\/./.test(issuer)
      ? null
      : "The issuer's address is needed, such as https://login.example.com",
};

/** What both making and changing send. */
function shared(values: ProviderValues) {
  const { name, clientId, clientSecret, allowedDomains, createUsers, adminValues } = values;
  return {
    name,
    clientId: clientId.trim(),
    allowedDomains,
    createUsers,
    adminValues,
    adminClaim: values.adminClaim || null,
    bearerAudience: values.bearerAudience || null,
    ...(clientSecret && { clientSecret }),
  };
}

export function newProvider(values: ProviderValues): Schemas["ProviderIn"] {
  const issuer = values.preset === "google" ? null : values.issuer.trim();
  return { ...shared(values), preset: values.preset, issuer, enabled: true };
}

/** A secret that was left empty stays as it is. */
export function changedProvider(values: ProviderValues): Schemas["ProviderPatch"] {
  return { ...shared(values), ...(values.preset === "custom" && { issuer: values.issuer.trim() }) };
}
