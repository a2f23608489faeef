import { needed } from "@/api/forms";

import { type Client, FLAGS, type Flag } from "./words";

/** A client as the form holds it: empty text instead of no bound. */
export function formValues(client: Client | undefined, workspaceId: string) {
  const { scope, limits } = client ?? {};
  return {
    name: client?.name ?? "",
    workspaceId: client?.workspaceId ?? workspaceId,
    flags: FLAGS.map(({ value }) => value).filter((flag) => scope?.[flag] ?? flag === "read"),
    notebooks: scope?.notebooks ?? ["*"],
    folders: scope?.folders ?? ["**"],
    fileTypes: scope?.fileTypes ?? ["*"],
    tools: scope?.tools ?? ["*"],
    accounts: scope?.accounts ?? [],
    requestsPerHour: (limits ? limits.requestsPerHour : 1000) ?? ("" as number | string),
    tokensPerDay: limits?.tokensPerDay ?? ("" as number | string),
    moneyPerDay: limits?.moneyPerDay ?? ("" as number | string),
    askWrites: client?.askWrites ?? false,
    askTools: client?.askTools ?? [],
    expiresInDays: "" as number | string,
  };
}

export type ClientValues = ReturnType<typeof formValues>;

export const checks = {
  name: needed("A name"),
  workspaceId: (id: string) => (id ? null : "Choose a workspace"),
};

const orNull = (value: number | string) => (value === "" ? null : Number(value));

/** What both making and changing send. */
export function asBody(values: ClientValues, before?: Client) {
  const { name, askWrites, askTools, notebooks, folders, fileTypes, tools, accounts } = values;
  const flags = Object.fromEntries(
    FLAGS.map(({ value }) => [value, values.flags.includes(value)]),
  ) as Record<Flag, boolean>;
  return {
    name,
    askWrites,
    askTools,
    scope: { ...flags, notebooks, folders, fileTypes, tools, accounts },
    limits: {
      requestsPerHour: orNull(values.requestsPerHour),
      tokensPerRequest: before?.limits.tokensPerRequest ?? null,
      tokensPerDay: orNull(values.tokensPerDay),
      moneyPerDay: orNull(values.moneyPerDay),
    },
  };
}
