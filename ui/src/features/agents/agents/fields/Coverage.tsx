import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";

import { api } from "@/api/client";
import { Unfold } from "@/components/Unfold";
import { Visible } from "@/features/gate/shared/Untrusted";

import type { Form } from "./form";

const PAUSE = 300;

/** Which files the patterns cover, said while they are written. */
export function Coverage({ form }: { form: Form }) {
  const { workspaceId, notebooks, folders, fileTypes } = form.values;
  const [asked] = useDebouncedValue({ notebooks, folders, fileTypes }, PAUSE);
  const isNone = Object.values(asked).some((patterns) => patterns.length === 0);
  const { data } = api.useQuery(
    "get",
    "/api/v1/workspaces/{workspace_id}/files/coverage",
    { params: { path: { workspace_id: workspaceId }, query: asked } },
    { enabled: !isNone, placeholderData: keepPreviousData },
  );
  if (isNone) return <Said>This covers no file.</Said>;
  if (!data) return null;
  const { files, more, examples } = data;
  if (files === 0) return <Said>This covers no file that is there now.</Said>;
  const count = `${more ? "At least " : ""}${files} ${files === 1 ? "file" : "files"}`;
  return (
    <div>
      <Said>{`This covers ${count}.`}</Said>
      <Unfold label="Which ones">
        <ul>
          {examples.map((path) => (
            <li key={path}>
              <Text size="sm" style={{ overflowWrap: "anywhere" }} span>
                <Visible>{path}</Visible>
              </Text>
            </li>
          ))}
          {files > examples.length && <li>and more</li>}
        </ul>
      </Unfold>
    </div>
  );
}

function Said({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {children}
    </Text>
  );
}
