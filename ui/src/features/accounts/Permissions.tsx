import { Fieldset, Stack, Switch } from "@mantine/core";

import type { Connector } from "./words";

interface Props {
  connector: Connector;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** What an account may be used for, as switches. */
export function Permissions({ connector, chosen, onChange }: Props) {
  if (connector.permissions.length === 0) return null;
  const put = (name: string, on: boolean) =>
    onChange(on ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <Fieldset legend="What it may be used for" radius="md">
      <Stack gap="sm">
        {connector.permissions.map(({ name, title, description, required }) => (
          <Switch
            key={name}
            label={title}
            description={description}
            checked={required || chosen.includes(name)}
            disabled={required}
            onChange={(event) => put(name, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
