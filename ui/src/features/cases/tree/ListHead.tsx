import { Button, Menu, NativeSelect, Text, UnstyledButton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";

import { api } from "@/api/client";
import { MoreMenu } from "@/components/MoreMenu";

import type { Cases } from "../useCases";
import { type Go, NOTHING, type Sought } from "../useSought";
import { CASE_STATES, STATES } from "../words";
import styles from "./ListHead.module.css";

interface Props {
  sought: Sought;
  go: Go;
  cases: Cases;
  selected: number;
  onDeleteSelected: () => void;
  onDeleteAll: () => void;
  onClear: () => void;
}

/** Which results are listed: by their state, their director, their workspace; and what to do with many. */
export function ListHead(props: Props) {
  const { sought, go, cases, selected, onDeleteSelected, onDeleteAll, onClear } = props;
  const set = (change: Sought) => go({ ...NOTHING, ...change });
  return (
    <div className={styles.head}>
      <States sought={sought} counts={cases.counts} onChoose={(state) => set({ state })} />
      <Choices sought={sought} set={set} />
      <div className={styles.count}>
        {selected > 0 ? (
          <>
            <Text size="xs" role="status">
              {selected} selected
            </Text>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
              Clear
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconTrash size={13} />}
              onClick={onDeleteSelected}
            >
              Delete
            </Button>
          </>
        ) : (
          <>
            <Text size="xs" c="dimmed" role="status" flex={1}>
              {cases.cases && !cases.error ? countInWords(cases.total) : ""}
            </Text>
            {cases.total > 0 && (
              <MoreMenu label="More for the list">
                <Menu.Item leftSection={<IconTrash size={15} />} onClick={onDeleteAll}>
                  Delete all {cases.total.toLocaleString("en")} shown
                </Menu.Item>
              </MoreMenu>
            )}
          </>
        )}
      </div>
    </div>
  );
}

const countInWords = (total: number) =>
  total === 1 ? "1 result" : `${total.toLocaleString("en")} results`;

interface StatesProps {
  sought: Sought;
  counts: Cases["counts"];
  onChoose: (state: Sought["state"]) => void;
}

function States({ sought, counts, onChoose }: StatesProps) {
  const there = CASE_STATES.filter((state) => counts[state] || state === sought.state);
  if (there.length < 2 && !sought.state) return null;
  return (
    <div className={styles.states} role="group" aria-label="In which state">
      <Chip isOn={!sought.state} onClick={() => onChoose(undefined)}>
        All
      </Chip>
      {there.map((state) => (
        <Chip key={state} isOn={sought.state === state} onClick={() => onChoose(state)}>
          {STATES[state].words} <span>{(counts[state] ?? 0).toLocaleString("en")}</span>
        </Chip>
      ))}
    </div>
  );
}

interface ChipProps {
  isOn: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function Chip({ isOn, onClick, children }: ChipProps) {
  return (
    <UnstyledButton className={styles.chip} aria-pressed={isOn} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}

function Choices({ sought, set }: { sought: Sought; set: (change: Sought) => void }) {
  const workspaces = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  const agents = api.useQuery("get", "/api/v1/agents").data?.items ?? [];
  const directors = agents.filter(
    ({ kind, workspaceId }) =>
      kind === "director" && (!sought.workspace || sought.workspace === workspaceId),
  );
  const isUseful = directors.length > 1 || sought.director;
  const withDirectors = new Set(agents.map(({ workspaceId }) => workspaceId));
  const places = workspaces.filter(({ id }) => withDirectors.has(id));
  return (
    <>
      {(places.length > 1 || sought.workspace) && (
        <NativeSelect
          size="xs"
          aria-label="Workspace"
          className={styles.choice}
          data={[
            { value: "", label: "All workspaces" },
            ...places.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={sought.workspace ?? ""}
          onChange={({ currentTarget: { value } }) =>
            set({ workspace: value || undefined, director: undefined })
          }
        />
      )}
      {isUseful && (
        <NativeSelect
          size="xs"
          aria-label="Director"
          className={styles.choice}
          data={[
            { value: "", label: "All directors" },
            ...directors.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={sought.director ?? ""}
          onChange={({ currentTarget: { value } }) => set({ director: value || undefined })}
        />
      )}
    </>
  );
}
