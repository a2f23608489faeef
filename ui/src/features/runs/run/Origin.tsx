import { Fact } from "@/components/Facts";
import { TextLink } from "@/components/TextLink";

import type { Session } from "./timeline";

/** What a run came from: another run, a task, a schedule. */
export function Origin({ session }: { session: Session }) {
  const { parentId, forkedFrom, forkStep, taskId, scheduleId, id } = session;
  return (
    <>
      {parentId && (
        <Fact name="Asked by">
          <TextLink to="/runs/$runId" params={{ runId: parentId }}>
            Another run
          </TextLink>
        </Fact>
      )}
      {forkedFrom && (
        <Fact name="Made from">
          <TextLink to="/runs/$runId" params={{ runId: forkedFrom }}>
            {forkStep ? `An earlier run, from step ${forkStep}` : "An earlier run"}
          </TextLink>
          <div>
            <TextLink
              to="/runs/$runId/compare"
              params={{ runId: forkedFrom }}
              search={{ with: id }}
              size="sm"
            >
              Compare the two
            </TextLink>
          </div>
        </Fact>
      )}
      {taskId && (
        <Fact name="Task">
          <TextLink to="/runs" search={{ task: taskId }}>
            All runs of its task
          </TextLink>
        </Fact>
      )}
      {scheduleId && (
        <Fact name="Schedule">
          <TextLink to="/runs" search={{ schedule: scheduleId }}>
            All runs of its schedule
          </TextLink>
        </Fact>
      )}
    </>
  );
}
