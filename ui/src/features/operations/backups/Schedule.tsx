import { Button, Text } from "@mantine/core";

import type { Schemas } from "@/api/client";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { StateMark } from "@/components/StateMark";
import { Loaded, Loading } from "@/components/states";
import { When } from "@/components/When";
import { useDialog } from "@/routes/useDialog";

import { ScheduleDialog } from "./ScheduleDialog";
import { inWords } from "./timing";

interface Props {
  backups: {
    data: Schemas["BackupsOut"] | undefined;
    error: unknown;
    refetch: () => unknown;
  };
}

/** When backups are made by themselves. */
export function Schedule({ backups }: Props) {
  const [editing, { open, close }] = useDialog("schedule");
  return (
    <Section title="Schedule">
      <Loaded query={backups} loading={<Loading rows={1} />}>
        {({ schedule }) => (
          <>
            <Rows label="Schedule">
              <Row
                title={inWords(schedule.text)}
                marks={
                  schedule.lastError && <StateMark state="failed">the last one failed</StateMark>
                }
                meta={[
                  schedule.nextAt ? (
                    <When key="next" at={schedule.nextAt} prefix="the next one" />
                  ) : (
                    "Backups are made when you ask for them"
                  ),
                  schedule.nextAt && schedule.timeZone,
                ]}
                actions={
                  <Button size="xs" variant="default" onClick={open}>
                    Change
                  </Button>
                }
              >
                {schedule.lastError && <Text size="sm">{schedule.lastError}</Text>}
              </Row>
            </Rows>
            <ScheduleDialog opened={editing} onClose={close} text={schedule.text} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
