import { Group, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { Diff } from "@/features/gate/approvals/Diff";

import { FILES, type FileVersion } from "../browser/browsed";

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

interface Props {
  workspace: string;
  path: string;
  versions: FileVersion[];
}

/** Any two versions, the earlier first. */
export function CompareVersions({ workspace, path, versions }: Props) {
  const [from, setFrom] = useState(versions[1]?.id ?? "");
  const [to, setTo] = useState(versions[0]?.id ?? "");
  const data = versions.map(({ id, at, by }) => ({
    value: id,
    label: `${moment.format(new Date(at))}, ${by ?? "another program"}`,
  }));
  return (
    <>
      <Group gap="xs" my="xs" grow>
        <NativeSelect
          size="xs"
          label="From"
          data={data}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label="To"
          data={data}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
      <Differences workspace={workspace} path={path} version={from} to={to} />
    </>
  );
}

interface DifferencesProps {
  workspace: string;
  path: string;
  version: string;
  /** Left out: what is there now. */
  to?: string;
}

/** What is different between a version and another. */
export function Differences({ workspace, path, version, to }: DifferencesProps) {
  const diff = api.useQuery("get", `${FILES}/diff`, {
    params: { path: { workspace_id: workspace }, query: { path, version, ...(to && { to }) } },
  });
  return (
    <Loaded query={diff}>
      {({ kind, text, note, truncated }) =>
        kind === "diff" && text ? (
          <>
            <Diff label="What changed since">{text}</Diff>
            {truncated && (
              <Text size="xs" c="dimmed">
                There is more that is different than is shown.
              </Text>
            )}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {note ?? (text || "It is the same.")}
          </Text>
        )
      }
    </Loaded>
  );
}
