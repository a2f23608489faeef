import type { Schemas } from "@/api/client";

export type Account = Schemas["AccountOut"];
export type Connector = Schemas["ConnectorOut"];
export type ConnectorDetail = Schemas["ConnectorDetailOut"];
export type Fetching = Schemas["FetchAccountOut"];
export type Problem = NonNullable<Account["problem"]>;
export type Right = Schemas["AccountShareIn"]["right"];
export type RouteFrom = Schemas["AccountIn"]["routeFrom"];

export const ACCOUNTS = "/api/v1/accounts";
export const ACCOUNT = "/api/v1/accounts/{account_id}";
export const SHARES = "/api/v1/accounts/{account_id}/shares";
export const SHARE = "/api/v1/accounts/{account_id}/shares/{member_id}";
export const CONNECTORS = "/api/v1/connectors";
export const CONNECTOR = "/api/v1/connectors/{connector_id}";
export const STATUS = "/api/v1/fetcher/status";

/** Whether only a person can set it right. */
export const needsPerson = (problem: Problem) =>
  problem === "invalid_grant" || problem === "missing_refresh_token";

/** What is wrong with an account, and what becomes of it. */
export function problemInWords({ problem, authorizeUrl }: Account): string {
  switch (problem) {
    case "missing_refresh_token":
      return "The provider gave no lasting permission, so it has to be asked for again.";
    case "invalid_grant":
      return authorizeUrl
        ? "The permission has ended, or was taken back at the provider."
        : "The provider does not take the password any more.";
    case "network":
      return "The provider cannot be reached. It is tried again by itself.";
    default:
      return "The provider did not do what was asked. It is tried again by itself.";
  }
}

export const ROUTE_FROM: { value: "new" | "week" | "all"; label: string }[] = [
  { value: "new", label: "Mail that arrives from now on" },
  { value: "week", label: "The last 7 days, and what comes" },
  { value: "all", label: "All mail, however old" },
];

export const RIGHTS: { value: Right; label: string }[] = [
  { value: "read", label: "read" },
  { value: "send", label: "read and send" },
];

export const CATEGORIES: Record<string, string> = {
  mail: "Mail",
  calendar: "Calendar",
  tasks: "Tasks",
};

/** "1 message", "20 messages". */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** The titles of what is switched on, in the connector's order. */
export function permissionsInWords(account: Account, connector: Connector | undefined): string {
  const titles = (connector?.permissions ?? [])
    .filter(({ name }) => account.permissions.includes(name))
    .map(({ title }) => title);
  return titles.join(", ");
}
