/** What was done, as the end of "Ada …". One that is missing here is shown as it is. */
export const ACTIONS: Record<string, string> = {
  "backup.deleted": "deleted a backup",
  "provider.changed": "changed a log-in provider",
  "provider.created": "added a log-in provider",
  "provider.deleted": "removed a log-in provider",
  "settings.changed": "changed a setting",
  "token.created": "made an API token",
  "token.revoked": "revoked an API token",
  "user.changed": "changed a user",
  "user.created": "made a user",
  "user.password_changed": "changed a password",
  "user.password_link_made": "made a password link",
  "user.sessions_ended": "logged a user out everywhere",
  "vault.pruned": "dropped older keys",
  "vault.reset": "began with a new vault",
  "vault.rotated": "put a new key in use",
  "webhook.changed": "changed a webhook",
  "webhook.created": "made a webhook",
  "webhook.deleted": "deleted a webhook",
  "webhook.disabled": "switched a webhook off, because nothing arrived there",
  "workspace.created": "made a workspace",
  "workspace.deleted": "deleted a workspace",
  "workspace.member_removed": "took a member out of a workspace",
  "workspace.member_set": "set a member's role",
  "workspace.renamed": "renamed a workspace",
};

export const actionInWords = (action: string) => ACTIONS[action] ?? action;
