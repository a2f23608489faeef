import { Button, Checkbox, Group, Text, Title } from "@mantine/core";
import { useId } from "react";

import { Tag } from "@/components/StateMark";
import { EFFECTS } from "@/features/gate/shared/words";

import styles from "../Agents.module.css";
import { fitsTool } from "../globs";
import { FLAGS, inWords, missing, type Tool } from "../words";
import type { Form } from "./form";

interface Props {
  form: Form;
  title: string;
  tools: Tool[];
}

/** Tools that do the same kind of thing, each with its tick. */
export function ToolGroup({ form, title, tools }: Props) {
  const { values, set } = form;
  const id = useId();
  const open = tools.filter(({ name }) => !fitsTool(values.tools, name));
  const tickAll = () => set({ tools: [...values.tools, ...open.map(({ name }) => name)] });
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Title order={3} id={id}>
          {title}
        </Title>
        {open.length > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={tickAll}>
            Tick all {tools.length}
          </Button>
        )}
      </Group>
      <ul className={styles.tools} role="list" aria-labelledby={id}>
        {tools.map((tool) => (
          <ToolLine key={tool.name} form={form} tool={tool} />
        ))}
      </ul>
    </div>
  );
}

function ToolLine({ form: { values, set }, tool }: { form: Form; tool: Tool }) {
  const { name, title, description, effect } = tool;
  const others = values.tools.filter((one) => one !== name);
  const isGiven = fitsTool(others, name);
  const lacks = missing(tool, values.flags);
  const needs = FLAGS.filter(({ value }) => lacks.includes(value)).map(({ verb }) => verb);
  return (
    <li className={styles.tool}>
      <Checkbox
        label={
          <>
            {title} <code>{name}</code> {effect !== "read" && <Tag>{EFFECTS[effect]}</Tag>}
          </>
        }
        description={description}
        checked={isGiven || values.tools.includes(name)}
        disabled={isGiven}
        onChange={(event) =>
          set({ tools: event.currentTarget.checked ? [...others, name] : others })
        }
      />
      {needs.length > 0 && (
        <Text size="sm" pl={32}>
          Out of reach: it may not {inWords(needs)}
        </Text>
      )}
    </li>
  );
}
