import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import type { FileText } from "../browser/browsed";
import styles from "./File.module.css";
import { IGNORED, useFileVerbs } from "./useFileVerbs";
import { valueInField, valueOf } from "./words";

interface Props {
  workspace: string;
  file: FileText;
  mayWrite: boolean;
}

/** What stands at the top of a text file: all else in it stays as it is when one of these is changed. */
export function FileProperties({ workspace, file, mayWrite }: Props) {
  const { setProperties, isBusy } = useFileVerbs(workspace);
  const known = Object.entries(file.properties ?? {});
  const set = (name: string, value: unknown) =>
    setProperties(file.path, { [name]: value }, file.etag);
  return (
    <Stack gap="xs">
      {file.note && <Text size="sm">{file.note}</Text>}
      {known.length === 0 && !file.note && (
        <Text size="sm" c="dimmed">
          {file.content === null
            ? "Only text files have properties."
            : "This file has no properties yet. They stand at its top, between two lines of ---."}
        </Text>
      )}
      {known.map(([name, value]) => (
        // Another value from elsewhere is shown at once.
        <Property
          key={`${name}=${valueInField(value)}`}
          name={name}
          value={value}
          mayWrite={mayWrite}
          isBusy={isBusy}
          set={set}
        />
      ))}
      {mayWrite && file.content !== null && <NewProperty isBusy={isBusy} set={set} />}
    </Stack>
  );
}

type Set = (name: string, value: unknown) => Promise<unknown>;

interface PropertyProps {
  name: string;
  value: unknown;
  mayWrite: boolean;
  isBusy: boolean;
  set: Set;
}

function Property({ name, value, mayWrite, isBusy, set }: PropertyProps) {
  const before = valueInField(value);
  const [text, setText] = useState(before);
  if (!mayWrite) {
    return (
      <div className={styles.property}>
        <Text size="sm" fw={500} span>
          <Visible>{name}</Visible>
        </Text>
        <Text size="sm" span>
          <Visible>{before}</Visible>
        </Text>
      </div>
    );
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void set(name, valueOf(text)).catch(IGNORED);
  };
  return (
    <form className={styles.property} onSubmit={save}>
      <Text size="sm" fw={500} span>
        <Visible>{name}</Visible>
      </Text>
      <TextInput
        size="xs"
        aria-label={`Value of ${name}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text === before ? (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          disabled={isBusy}
          aria-label={`Take ${name} away`}
          onClick={() => void set(name, null).catch(IGNORED)}
        >
          Take away
        </Button>
      ) : (
        <Button type="submit" size="compact-xs" disabled={isBusy} aria-label={`Save ${name}`}>
          Save
        </Button>
      )}
    </form>
  );
}

function NewProperty({ isBusy, set }: { isBusy: boolean; set: Set }) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void set(name.trim(), valueOf(value)).then(() => {
      setName("");
      setValue("");
    }, IGNORED);
  };
  return (
    <form onSubmit={save}>
      <Group gap="xs" align="end" mt="sm">
        <TextInput
          size="xs"
          label="Property"
          placeholder="status"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          label="Value"
          placeholder="done"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={isBusy || !name.trim()}>
          Set
        </Button>
      </Group>
    </form>
  );
}
