import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import { type FileText, IGNORED, useFileVerbs } from "./useLibrary";

interface Props {
  workspace: string;
  file: FileText;
  mayWrite: boolean;
}

/** What stands at the top of a text file. */
export function FileProperties({ workspace, file, mayWrite }: Props) {
  const { setProperties, isBusy } = useFileVerbs(workspace);
  const known = Object.entries(file.properties ?? {});
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void setProperties(file.path, { [name.trim()]: value }, file.etag).then(() => {
      setName("");
      setValue("");
    }, IGNORED);
  };
  return (
    <Stack gap="sm">
      {file.note && <Text size="sm">{file.note}</Text>}
      {known.length === 0 && !file.note && (
        <Text size="sm" c="dimmed">
          This file has no properties.
        </Text>
      )}
      {known.map(([each, said]) => (
        <Group key={each} gap="xs" wrap="nowrap" align="baseline">
          <Text size="sm" fw={500} miw={110}>
            <Visible>{each}</Visible>
          </Text>
          <Text size="sm" style={{ flex: 1, overflowWrap: "anywhere" }}>
            <Visible>{typeof said === "string" ? said : JSON.stringify(said)}</Visible>
          </Text>
          {mayWrite && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              disabled={isBusy}
              aria-label={`Take ${each} away`}
              onClick={() =>
                void setProperties(file.path, { [each]: null }, file.etag).catch(IGNORED)
              }
            >
              Take away
            </Button>
          )}
        </Group>
      ))}
      {mayWrite && file.content !== null && (
        <form onSubmit={save}>
          <Group gap="xs" align="end">
            <TextInput
              label="Property"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label="Value"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={isBusy || !name.trim()}>
              Set
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}
