import type { paths } from "@/api/schema";

type Query = keyof paths;

/** Which readings are no longer true once something happened. `noun.*` is every verb of the noun. */
export const AFFECTED: [type: string, queries: Query[]][] = [
  ["user.*", ["/api/v1/users", "/api/v1/auth/whoami", "/api/v1/changes"]],
  ["user.changed", ["/api/v1/workspaces/{workspace_id}/members", "/api/v1/tokens"]],
  ["user.password_changed", ["/api/v1/auth/sessions"]],
  ["user.sessions_ended", ["/api/v1/auth/sessions"]],
  ["session.*", ["/api/v1/auth/sessions", "/api/v1/auth/whoami"]],
  ["session.started", ["/api/v1/sign-ins", "/api/v1/users"]],
  ["token.*", ["/api/v1/tokens", "/api/v1/changes"]],
  ["provider.*", ["/api/v1/login-providers", "/api/v1/auth/options", "/api/v1/changes"]],
  ["workspace.*", ["/api/v1/workspaces", "/api/v1/workspaces/{workspace_id}", "/api/v1/changes"]],
  ["workspace.*", ["/api/v1/workspaces/{workspace_id}/members"]],
  ["settings.changed", ["/api/v1/settings", "/api/v1/auth/options", "/api/v1/changes"]],
  ["settings.changed", ["/api/v1/status", "/api/v1/doctor", "/api/v1/backups"]],
  ["vault.*", ["/api/v1/vault", "/api/v1/status", "/api/v1/doctor", "/api/v1/changes"]],
  ["backup.*", ["/api/v1/backups", "/api/v1/doctor", "/api/v1/changes"]],
  ["webhook.*", ["/api/v1/webhooks", "/api/v1/webhooks/{webhook_id}"]],
  ["webhook.*", ["/api/v1/webhooks/{webhook_id}/deliveries"]],
  ["webhook.*", ["/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}"]],
  ["webhook.*", ["/api/v1/changes"]],
  ["approval.*", ["/api/v1/approvals", "/api/v1/approvals/{approval_id}"]],
  ["action.*", ["/api/v1/actions", "/api/v1/actions/{action_id}"]],
  ["halt.*", ["/api/v1/halt", "/api/v1/changes"]],
  ["rule.*", ["/api/v1/rules", "/api/v1/changes"]],
  ["redaction.*", ["/api/v1/redactions", "/api/v1/changes"]],
  ["memory.*", ["/api/v1/memory", "/api/v1/memory/{memory_id}"]],
  ["outbox.*", ["/api/v1/outbox", "/api/v1/outbox/{outgoing_id}"]],
  ["notebook.*", ["/api/v1/workspaces/{workspace_id}/notebooks", "/api/v1/changes"]],
  ["model.*", ["/api/v1/models", "/api/v1/models/{model_id}", "/api/v1/models/found"]],
  ["model.*", ["/api/v1/changes"]],
  ["prompt.*", ["/api/v1/prompts", "/api/v1/prompts/{prompt_id}", "/api/v1/changes"]],
  ["prompt.*", ["/api/v1/prompt-templates", "/api/v1/prompt-templates/{template_id}"]],
  ["agent.*", ["/api/v1/agents", "/api/v1/agents/{agent_id}", "/api/v1/changes"]],
  ["agent.*", ["/api/v1/agents/{agent_id}/credentials"]],
  ["run.*", ["/api/v1/runs", "/api/v1/sessions", "/api/v1/agents/{agent_id}/sessions"]],
  ["run.*", ["/api/v1/sessions/{session_id}", "/api/v1/runs/{run_id}/events", "/api/v1/spend"]],
  ["run.*", ["/api/v1/sessions/{session_id}/logs", "/api/v1/runs/{run_id}/comparison"]],
  ["task.*", ["/api/v1/tasks", "/api/v1/tasks/{task_id}"]],
  ["action.*", ["/api/v1/tasks", "/api/v1/tasks/{task_id}"]],
  ["schedule.*", ["/api/v1/schedules", "/api/v1/schedules/{schedule_id}", "/api/v1/changes"]],
  ["run.*", ["/api/v1/tasks", "/api/v1/schedules"]],
  ["filter.*", ["/api/v1/filters", "/api/v1/filters/{filter_id}", "/api/v1/changes"]],
  ["agent.removed", ["/api/v1/filters", "/api/v1/filters/{filter_id}"]],
  ["mail.*", ["/api/v1/fetcher/status", "/api/v1/mail", "/api/v1/mail/search"]],
  ["mail.*", ["/api/v1/mail/{mail_id}", "/api/v1/mail/threads/{mail_thread_id}"]],
  ["mail.*", ["/api/v1/mail/folders"]],
  ["account.disconnected", ["/api/v1/mail", "/api/v1/mail/search", "/api/v1/mail/folders"]],
  ["account.*", ["/api/v1/fetcher/status"]],
  ["settings.changed", ["/api/v1/fetcher/status"]],
  ["contact.*", ["/api/v1/workspaces/{workspace_id}/contacts", "/api/v1/changes"]],
  ["account.*", ["/api/v1/accounts", "/api/v1/accounts/{account_id}", "/api/v1/changes"]],
  ["account.connected", ["/api/v1/connectors", "/api/v1/connectors/{connector_id}"]],
  ["connector.*", ["/api/v1/connectors", "/api/v1/connectors/{connector_id}", "/api/v1/changes"]],
  ["connector.*", ["/api/v1/accounts", "/api/v1/accounts/{account_id}"]],
  ["account.*", ["/api/v1/workspaces/{workspace_id}/demo"]],
  ["mail.*", ["/api/v1/workspaces/{workspace_id}/demo"]],
  ["run.*", ["/api/v1/workspaces/{workspace_id}/demo"]],
  ["approval.*", ["/api/v1/workspaces/{workspace_id}/demo"]],
  ["client.*", ["/api/v1/clients", "/api/v1/clients/{client_id}", "/api/v1/changes"]],
];

/** The readings that an event of this type makes stale. */
export function affectedBy(type: string): Query[] {
  return AFFECTED.filter(([pattern]) => matches(pattern, type)).flatMap(([, queries]) => queries);
}

function matches(pattern: string, type: string): boolean {
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
