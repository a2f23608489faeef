import type { paths } from "@/api/schema";

type Query = keyof paths;

const MAIL = [
  "/api/v1/mail",
  "/api/v1/mail/folders",
  "/api/v1/mail/search",
  "/api/v1/mail/threads/{mail_thread_id}",
  "/api/v1/mail/{mail_id}",
  "/api/v1/outbox",
] as const satisfies Query[];

const INBOX = [
  "/api/v1/inbox/files",
  "/api/v1/inbox/progress",
  "/api/v1/inbox/suggestions",
  "/api/v1/inbox/suggestions/{suggestion_id}",
] as const satisfies Query[];
const CASES = [
  "/api/v1/cases",
  "/api/v1/cases/{case_id}",
  "/api/v1/cases/{case_id}/items",
] as const satisfies Query[];

/**
 * Which readings are no longer true once something happened: the one list of it. `noun.*` is every verb of the noun.
 * A page that changed something itself reads the same ones again (`useRefresh`).
 */
export const AFFECTED = {
  "user.*": ["/api/v1/auth/whoami", "/api/v1/changes", "/api/v1/users"],
  "user.changed": [
    "/api/v1/tokens",
    "/api/v1/users/me/identities",
    "/api/v1/workspaces/{workspace_id}/members",
  ],
  "thread.*": ["/api/v1/threads", "/api/v1/threads/{thread_id}"],
  "message.*": [
    "/api/v1/threads",
    "/api/v1/threads/{thread_id}",
    "/api/v1/threads/{thread_id}/messages",
  ],
  "reaction.*": ["/api/v1/threads/{thread_id}/messages"],
  "artifact.*": [
    "/api/v1/artifacts",
    "/api/v1/artifacts/{artifact_id}",
    "/api/v1/artifacts/{artifact_id}/versions",
  ],
  "assistant.*": ["/api/v1/threads", "/api/v1/threads/{thread_id}"],
  "attachment.stored": ["/api/v1/threads/{thread_id}/messages"],
  "file.*": ["/api/v1/files", "/api/v1/files/{file_id}", "/api/v1/files/{file_id}/preview"],
  "file.accessed": ["/api/v1/files/{file_id}/accesses"],
  "notifications.changed": ["/api/v1/users/me/notifications"],
  "user.password_changed": ["/api/v1/auth/sessions"],
  "user.sessions_ended": ["/api/v1/auth/sessions"],
  "session.*": ["/api/v1/auth/sessions", "/api/v1/auth/whoami"],
  "session.started": ["/api/v1/sign-ins", "/api/v1/users"],
  "token.*": ["/api/v1/changes", "/api/v1/tokens"],
  "provider.*": ["/api/v1/auth/options", "/api/v1/changes", "/api/v1/login-providers"],
  "workspace.*": [
    "/api/v1/changes",
    "/api/v1/workspaces",
    "/api/v1/workspaces/{workspace_id}",
    "/api/v1/workspaces/{workspace_id}/members",
  ],
  "settings.changed": [
    "/api/v1/auth/options",
    "/api/v1/backups",
    "/api/v1/changes",
    "/api/v1/doctor",
    "/api/v1/fetcher/status",
    "/api/v1/settings",
    "/api/v1/status",
  ],
  "vault.*": ["/api/v1/changes", "/api/v1/doctor", "/api/v1/status", "/api/v1/vault"],
  "audit.*": ["/api/v1/audit/status"],
  "diagnostics.*": [
    "/api/v1/changes",
    "/api/v1/diagnostics/runtime",
    "/api/v1/diagnostics/unified",
    "/api/v1/diagnostics/unified/{node_id}",
  ],
  "backup.*": ["/api/v1/backups", "/api/v1/changes", "/api/v1/doctor"],
  "webhook.*": [
    "/api/v1/changes",
    "/api/v1/webhooks",
    "/api/v1/webhooks/{webhook_id}",
    "/api/v1/webhooks/{webhook_id}/deliveries",
    "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}",
  ],
  "approval.*": [
    "/api/v1/approvals",
    "/api/v1/approvals/{approval_id}",
    "/api/v1/sessions/{session_id}",
    "/api/v1/workspaces/{workspace_id}/demo",
  ],
  "action.*": [
    "/api/v1/actions",
    "/api/v1/actions/{action_id}",
    "/api/v1/tasks",
    "/api/v1/tasks/{task_id}",
  ],
  "halt.*": ["/api/v1/changes", "/api/v1/halt"],
  "rule.*": ["/api/v1/changes", "/api/v1/rules"],
  "redaction.*": ["/api/v1/changes", "/api/v1/redactions", "/api/v1/redactions/try"],
  "memory.*": ["/api/v1/memory", "/api/v1/memory/{memory_id}"],
  "outbox.*": ["/api/v1/outbox", "/api/v1/outbox/{outgoing_id}"],
  "notebook.*": [
    "/api/v1/changes",
    "/api/v1/workspaces/{workspace_id}/notebooks",
    "/api/v1/workspaces/{workspace_id}/files",
    "/api/v1/workspaces/{workspace_id}/files/tree",
    "/api/v1/workspaces/{workspace_id}/notebooks/{notebook_id}/index",
  ],
  "files.*": [
    ...INBOX,
    "/api/v1/search",
    "/api/v1/workspaces/{workspace_id}/files",
    "/api/v1/workspaces/{workspace_id}/files/coverage",
    "/api/v1/workspaces/{workspace_id}/files/details",
    "/api/v1/workspaces/{workspace_id}/files/diff",
    "/api/v1/workspaces/{workspace_id}/files/similar",
    "/api/v1/workspaces/{workspace_id}/files/tags",
    "/api/v1/workspaces/{workspace_id}/files/text",
    "/api/v1/workspaces/{workspace_id}/files/tree",
    "/api/v1/workspaces/{workspace_id}/files/versions",
    "/api/v1/workspaces/{workspace_id}/notebooks/{notebook_id}/index",
  ],
  "model.*": [
    "/api/v1/changes",
    "/api/v1/models",
    "/api/v1/models/found",
    "/api/v1/models/{model_id}",
  ],
  "prompt.*": [
    "/api/v1/changes",
    "/api/v1/prompt-templates",
    "/api/v1/prompt-templates/{template_id}",
    "/api/v1/prompts",
    "/api/v1/prompts/{prompt_id}",
  ],
  "agent.*": [
    "/api/v1/agents",
    "/api/v1/agents/{agent_id}",
    "/api/v1/agents/{agent_id}/credentials",
    "/api/v1/changes",
  ],
  "agent.removed": ["/api/v1/filters", "/api/v1/filters/{filter_id}"],
  "run.*": [
    "/api/v1/agents/{agent_id}/sessions",
    "/api/v1/diagnostics/unified",
    "/api/v1/diagnostics/unified/{node_id}",
    "/api/v1/runs",
    "/api/v1/runs/{run_id}/comparison",
    "/api/v1/runs/{run_id}/events",
    "/api/v1/schedules",
    "/api/v1/sessions",
    "/api/v1/sessions/{session_id}",
    "/api/v1/sessions/{session_id}/logs",
    "/api/v1/spend",
    "/api/v1/tasks",
    "/api/v1/threads",
    "/api/v1/threads/{thread_id}",
    "/api/v1/workspaces/{workspace_id}/demo",
  ],
  "case.*": CASES,
  "suggestion.*": [...INBOX],
  "inbox.*": [...INBOX, "/api/v1/changes", "/api/v1/inbox/settings"],
  "guideline.*": ["/api/v1/inbox/guidelines", "/api/v1/inbox/proposals"],
  "item.*": [
    ...CASES,
    "/api/v1/cases/{case_id}/items/{item_id}",
    "/api/v1/cases/{case_id}/items/{item_id}/versions",
  ],
  "task.*": ["/api/v1/tasks", "/api/v1/tasks/{task_id}"],
  "schedule.*": ["/api/v1/changes", "/api/v1/schedules", "/api/v1/schedules/{schedule_id}"],
  "filter.*": ["/api/v1/changes", "/api/v1/filters", "/api/v1/filters/{filter_id}"],
  "mail.*": [
    "/api/v1/fetcher/status",
    "/api/v1/mail",
    "/api/v1/mail/folders",
    "/api/v1/mail/search",
    "/api/v1/mail/threads/{mail_thread_id}",
    "/api/v1/mail/{mail_id}",
    "/api/v1/workspaces/{workspace_id}/demo",
  ],
  "account.disconnected": [...MAIL, ...CASES],
  "account.shared": [...MAIL, ...CASES],
  "account.unshared": [...MAIL, ...CASES],
  "account.*": [
    "/api/v1/accounts",
    "/api/v1/accounts/{account_id}",
    "/api/v1/accounts/{account_id}/shares",
    "/api/v1/changes",
    "/api/v1/fetcher/status",
    "/api/v1/workspaces/{workspace_id}/demo",
  ],
  "account.connected": ["/api/v1/connectors", "/api/v1/connectors/{connector_id}"],
  "contact.*": ["/api/v1/changes", "/api/v1/workspaces/{workspace_id}/contacts"],
  "connector.*": [
    "/api/v1/accounts",
    "/api/v1/accounts/{account_id}",
    "/api/v1/changes",
    "/api/v1/connectors",
    "/api/v1/connectors/{connector_id}",
  ],
  "client.*": ["/api/v1/changes", "/api/v1/clients", "/api/v1/clients/{client_id}"],
} as const satisfies Record<string, Query[]>;

/** What happens to it is told: `rule` of `rule.changed`. */
export type Noun = keyof typeof AFFECTED extends `${infer N}.${string}` ? N : never;

const LINES = Object.entries(AFFECTED) as [pattern: string, queries: readonly Query[]][];

/** The readings that an event of this type makes stale. */
export function affectedBy(type: string): Query[] {
  return each(LINES.filter(([pattern]) => matches(pattern, type)));
}

/** The readings that any event about such a thing makes stale. */
export function affectedByAny(nouns: Noun[]): Query[] {
  return each(LINES.filter(([pattern]) => nouns.some((noun) => pattern.startsWith(`${noun}.`))));
}

const each = (lines: typeof LINES): Query[] => [
  ...new Set(lines.flatMap(([, queries]) => queries)),
];

function matches(pattern: string, type: string): boolean {
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
