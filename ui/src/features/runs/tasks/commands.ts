import { IconCalendarTime, IconListCheck } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";

import type { Offer } from "@/palette/command";

/** Something to do, once or again and again. */
export function useTaskCommands(): Offer {
  const navigate = useNavigate();
  const task = {
    id: "task new",
    label: "New task",
    group: "Do",
    icon: IconListCheck,
    words: "add todo give assign agent queue",
    run: () => void navigate({ to: "/tasks", search: { dialog: "new" } }),
  };
  const schedule = {
    id: "schedule new",
    label: "New schedule",
    group: "Do",
    icon: IconCalendarTime,
    words: "add cron every day recurring agent clock",
    run: () => void navigate({ to: "/tasks", search: { tab: "schedules", dialog: "new" } }),
  };
  const all = {
    id: "schedules",
    label: "Schedules",
    group: "Go to",
    icon: IconCalendarTime,
    words: "cron recurring clock timing",
    run: () => void navigate({ to: "/tasks", search: { tab: "schedules" } }),
  };
  return { commands: [task, schedule, all] };
}
