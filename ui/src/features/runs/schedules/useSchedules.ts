import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Schedule, SCHEDULE, SCHEDULES } from "./words";

/** What one does with a schedule, each with a way back where there is one. */
export function useSchedules() {
  const refresh = useRefresh();
  const reread = { onSettled: () => refresh("schedule", "run") };
  const change = api.useMutation("patch", SCHEDULE, reread);
  const remove = api.useMutation("delete", SCHEDULE, reread);
  const create = api.useMutation("post", SCHEDULES, reread);
  const start = api.useMutation("post", "/api/v1/schedules/{schedule_id}/run", reread);
  const path = ({ id }: Schedule) => ({ params: { path: { schedule_id: id } } });
  return {
    switchTo: (schedule: Schedule, on: boolean) => {
      const set = (enabled: boolean) =>
        change.mutateAsync({ ...path(schedule), body: { enabled } });
      const said = `“${schedule.name}” is switched ${on ? "on" : "off"}.`;
      notify.undoable(set(on), said, () => set(!on));
    },
    remove: (schedule: Schedule) => {
      const { workspaceId, agentId, name, words, timing, timeZone, enabled } = schedule;
      const body = { workspaceId, agentId, name, words, timing, timeZone, enabled };
      const said = `“${name}” is deleted.`;
      notify.undoable(remove.mutateAsync(path(schedule)), said, () => create.mutateAsync({ body }));
    },
    run: (schedule: Schedule) =>
      start.mutate(path(schedule), {
        onSuccess: () => void notify.done(`${schedule.agentName} has set to work.`),
      }),
    isStarting: start.isPending,
  };
}
