import { Checkbox, Input, Radio, Stack } from "@mantine/core";
import { useId, useState } from "react";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";

import styles from "./TypePicker.module.css";
import { byNoun, capitalised, toggled } from "./types";

interface Props {
  value?: string[];
  onChange?: (types: string[]) => void;
  error?: React.ReactNode;
}

/** Which events: everything, or some of it by noun and by verb. */
export function TypePicker({ value = [], onChange = () => {}, error }: Props) {
  const id = useId();
  const everything = value.includes("*");
  // What was chosen is still there after a look at "everything".
  const [some, setSome] = useState(everything ? [] : value);
  const types = api.useQuery("get", "/api/v1/events/types", {}, { staleTime: Infinity });
  const choose = (next: string[]) => {
    setSome(next);
    onChange(next);
  };
  return (
    <Input.Wrapper error={error} label="Events" labelElement="div" id={id}>
      <Stack gap="xs" mt={6}>
        <Radio.Group
          value={everything ? "all" : "some"}
          onChange={(kind) => onChange(kind === "all" ? ["*"] : some)}
          aria-label="Events"
        >
          <Stack gap={6}>
            <Radio value="all" label="Everything that you may see" />
            <Radio value="some" label="Only these" />
          </Stack>
        </Radio.Group>
        {!everything && (
          <Loaded query={types}>
            {({ items }) => (
              <div className={styles.list}>
                {byNoun(items).map(([noun, verbs]) => (
                  <fieldset key={noun} className={styles.noun}>
                    <legend>{capitalised(noun)}</legend>
                    <Checkbox
                      size="xs"
                      label="All of these, and those to come"
                      checked={value.includes(`${noun}.*`)}
                      onChange={() => choose(toggled(value, `${noun}.*`))}
                    />
                    {verbs.map(({ type, description }) => (
                      <Checkbox
                        key={type}
                        size="xs"
                        label={description}
                        disabled={value.includes(`${noun}.*`)}
                        checked={value.includes(type) || value.includes(`${noun}.*`)}
                        onChange={() => choose(toggled(value, type))}
                      />
                    ))}
                  </fieldset>
                ))}
              </div>
            )}
          </Loaded>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
