import { Checkbox, Stack, Switch } from "@mantine/core";

import { FLAGS } from "../words";
import type { Form } from "./form";

/** What it may do at all. */
export function Capabilities({ form: { values, set } }: { form: Form }) {
  return (
    <Stack gap="md">
      <Checkbox.Group
        aria-label="What it may do at all"
        value={values.flags}
        onChange={(flags) => set({ flags })}
      >
        <Stack gap="xs">
          {FLAGS.map(({ value, label, description }) => (
            <Checkbox key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Switch
        label="Ask before every change"
        description="A person is asked each time, even where the rules allow it"
        checked={values.askWrites}
        onChange={(event) => set({ askWrites: event.currentTarget.checked })}
      />
    </Stack>
  );
}
