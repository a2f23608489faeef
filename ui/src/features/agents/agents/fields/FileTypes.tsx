import { Chip, Group, Input } from "@mantine/core";
import { useId } from "react";

import { ending } from "../words";
import type { Form } from "./form";

const ALL = "*";
const COMMON = ["*.md", "*.txt", "*.pdf", "*.docx", "*.xlsx", "*.csv", "*.html", "*.json"];

const normal = (type: string) => (type === ALL ? ALL : `*${ending(type).toLowerCase()}`);

/** Which kinds of files it may touch. */
export function FileTypes({ form: { values, set } }: { form: Form }) {
  const id = useId();
  const chosen = values.fileTypes.map(normal);
  const offered = [...new Set([...COMMON, ...chosen])].filter((type) => type !== ALL);
  const change = (to: string[]) => {
    const wantsAll = to.includes(ALL) && !chosen.includes(ALL);
    set({ fileTypes: wantsAll ? [ALL] : to.filter((type) => type !== ALL || to.length === 1) });
  };
  return (
    <Input.Wrapper label="Kinds of files" labelElement="div" labelProps={{ id }}>
      <Chip.Group multiple value={chosen} onChange={change}>
        <Group gap={6} mt={6} role="group" aria-labelledby={id}>
          <Chip size="xs" value={ALL}>
            All kinds
          </Chip>
          {offered.map((type) => (
            <Chip key={type} size="xs" value={type}>
              {ending(type)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
