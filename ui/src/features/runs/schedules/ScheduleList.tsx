import { useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { byPage } from "@/api/queries";
import { PagedListing } from "@/components/Listing";
import { Empty } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { ScheduleDialog } from "./ScheduleDialog";
import { ScheduleRow } from "./ScheduleRow";
import { SCHEDULES } from "./words";

/** What agents do by the clock, in one's own name. */
export function ScheduleList() {
  const [making, { close }] = useDialog();
  const { dialog } = useSearch({ strict: false });
  const schedules = api.useInfiniteQuery("get", SCHEDULES, {}, byPage);
  const items = schedules.data?.pages.flatMap((page) => page.items) ?? [];
  const edited = items.find(({ id }) => id === dialog);
  const empty = (
    <Empty title="Nothing runs by the clock">
      Let an agent sum up your mail every weekday at 8, or tidy a folder every Sunday. It acts in
      your name, and everything it does passes the gate.
    </Empty>
  );
  return (
    <>
      <PagedListing label="Schedules" query={schedules} empty={empty}>
        {(schedule) => <ScheduleRow key={schedule.id} schedule={schedule} />}
      </PagedListing>
      <ScheduleDialog opened={making || edited !== undefined} onClose={close} schedule={edited} />
    </>
  );
}
