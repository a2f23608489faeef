/** What the settings are called. One that is missing here shows its own name. */
const NAMES: Record<string, string> = {
  instance_name: "Name of the office",
  password_login: "Log-in with a password",
  session_hours: "Length of a session",
  session_idle_hours: "Idle time of a session",
  token_days: "Longest life of an API token",
  link_hours: "Life of a link",
  login_domains: "Domains for log-in providers",
  rate_limit_percent: "Request limits",
  idempotency_hours: "Memory for repeated requests",
  backups_kept: "Backups kept",
  backup_schedule: "Backups by themselves",
  time_zone: "Time zone of schedules",
  events_days: "Events kept",
  file_version_days: "Versions of files kept",
  webhook_timeout_seconds: "Patience with webhooks",
  webhook_retry_seconds: "Waits between attempts",
  webhook_log_days: "Log of webhooks",
  approval_hours: "Time to answer an approval",
  session_timeout_minutes: "Agents wait for a director",
  session_titles: "Titles of sessions",
  fetcher_running: "Fetch mail",
  fetch_minutes: "Look for new mail",
  library_scan_minutes: "Look through notebooks",
  speech_model: "Model that transcribes sound",
  outbox_delay_seconds: "Time to take mail back",
  activity_days: "Activity that can be undone",
  diagnostics_days: "What went to models",
  audit_days: "Audit",
  audit_anchor_file: "Copy of the audit's checkpoints",
  audit_anchor_keyring: "Checkpoint in the keyring",
  audit_anchor_events: "Checkpoints to webhooks",
  log_level: "Detail of the log",
};

/** What to consider before switching something off. */
export const CAUTIONS: Record<string, string> = {
  password_login:
    "People can then come in through a log-in provider only. Make sure that one works for you; if not, only the server's command line can switch this back.",
};

export function settingName(name: string): string {
  const words = name.replaceAll("_", " ");
  return NAMES[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const UNITS: Record<string, string> = {
  seconds: "seconds",
  minutes: "minutes",
  hours: "hours",
  days: "days",
  percent: "%",
};

/** "hours" for `session_hours`. */
export function unitOf(name: string): string | undefined {
  return UNITS[name.split("_").at(-1) ?? ""];
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** A value, as one would say it. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && MOMENT.test(value)) return exact.format(new Date(value));
  if (Array.isArray(value)) return value.length ? value.map(inWords).join(", ") : "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
