import type { Schemas } from "@/api/client";

export type Schedule = Schemas["AgentScheduleOut"];

export const SCHEDULES = "/api/v1/schedules";
export const SCHEDULE = "/api/v1/schedules/{schedule_id}";

/** What is typed in the field, by one click. */
export const SUGGESTIONS = ["every weekday at 8", "every Monday at 9:00", "every hour"];

/** The zone of the reader's own clock. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time as the clock of its zone shows it. */
export function inZone(at: string, timeZone: string): string {
  const options = { dateStyle: "full", timeStyle: "short", timeZone } as const;
  return new Intl.DateTimeFormat("en", options).format(new Date(at));
}
