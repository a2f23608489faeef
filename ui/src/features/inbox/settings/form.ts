import type { Schemas } from "@/api/client";

/** The settings as a form has them: a share as percent, and nothing as an empty field. */
export type SettingsForm = Pick<
  Schemas["InboxSettingsOut"],
  "agentEnabled" | "autoOrganize" | "newFolders" | "neverTouch"
> & { modelId: string } & Record<
    "minConfidence" | "maxTurns" | "timeLimitSeconds" | "maxTokens",
    number | string
  >;

export function valuesOf(settings: Schemas["InboxSettingsOut"]): SettingsForm {
  const { agentEnabled, autoOrganize, newFolders, neverTouch, maxTurns, timeLimitSeconds } =
    settings;
  return {
    ...{ agentEnabled, autoOrganize, newFolders, neverTouch, maxTurns, timeLimitSeconds },
    minConfidence: Math.round(settings.minConfidence * 100),
    modelId: settings.modelId ?? "",
    maxTokens: settings.maxTokens ?? "",
  };
}

/** Only what was changed, as the server takes it; what is left out stays. */
export function patchOf(now: SettingsForm, before: SettingsForm): Schemas["InboxSettingsPatch"] {
  const sent = {
    ...now,
    minConfidence: Number(now.minConfidence) / 100,
    modelId: now.modelId || null,
    maxTurns: Number(now.maxTurns),
    timeLimitSeconds: Number(now.timeLimitSeconds),
    maxTokens: now.maxTokens === "" ? null : Number(now.maxTokens),
  };
  const isChanged = ([name]: [string, unknown]) =>
    JSON.stringify(now[name as keyof SettingsForm]) !==
    JSON.stringify(before[name as keyof SettingsForm]);
  return Object.fromEntries(Object.entries(sent).filter(isChanged));
}
