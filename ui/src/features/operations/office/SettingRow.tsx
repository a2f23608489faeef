import { Box, Button, Group, Text } from "@mantine/core";
import { type SubmitEvent, useEffect, useId, useState } from "react";

import { api, type Schemas } from "@/api/client";
import { detailOf, fieldErrorsOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { useConfirm } from "@/components/useConfirm";
import { useRefresh } from "@/live/useRefresh";

import { SettingInput } from "./SettingInput";
import styles from "./SettingRow.module.css";
import { CAUTIONS, inWords, settingName, unitOf } from "./words";

type Setting = Schemas["SettingOut"];

/** One setting: what it means, its value, and the way back to its default. */
export function SettingRow({ setting }: { setting: Setting }) {
  const { name, value, description } = setting;
  const id = useId();
  const [draft, setDraft] = useState<unknown>(value);
  const { ask, dialog } = useConfirm();
  const save = useSave();
  useEffect(() => setDraft(value), [value]);

  const isDefault = same(value, setting.default);
  const send = async (next: unknown) => {
    const saving = save.mutateAsync({ body: { [name]: next } });
    notify.undoable(saving, `Saved: ${settingName(name)}.`, () =>
      save.mutateAsync({ body: { [name]: isDefault ? null : value } }),
    );
    await saving;
  };
  const choose = (next: unknown) => {
    setDraft(next);
    save.reset();
    const caution = CAUTIONS[name];
    if (typeof next !== "boolean") return;
    if (next || !caution) void send(next).catch(() => setDraft(value));
    else {
      setDraft(value);
      ask({
        title: `${settingName(name)}: switch off?`,
        body: caution,
        verb: "Switch off",
        run: () => send(next),
      });
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void send(setting.type === "integer" && draft === "" ? null : draft).catch(() => {});
  };
  return (
    <li className={styles.row}>
      <Box flex="1 1 280px">
        <Text fw={500} component="label" htmlFor={id} id={`${id}-name`}>
          {settingName(name)}
        </Text>
        <Text size="sm" c="dimmed" id={`${id}-description`}>
          {description}
        </Text>
        {!isDefault && (
          <Text size="sm" c="dimmed">
            Default: {inWords(setting.default)} {setting.default !== null && unitOf(name)}{" "}
            <Button
              variant="transparent"
              size="compact-sm"
              px={4}
              aria-label={`Reset to default: ${settingName(name)}`}
              onClick={() => void send(null).catch(() => {})}
            >
              Reset
            </Button>
          </Text>
        )}
      </Box>
      <form onSubmit={submit} className={styles.form}>
        <Group gap="xs" align="flex-start" justify="flex-end" wrap="nowrap">
          <SettingInput
            id={id}
            setting={setting}
            value={draft}
            error={save.error && (fieldErrorsOf(save.error)[name] ?? detailOf(save.error))}
            onChange={choose}
          />
          {!same(draft, value) && typeof draft !== "boolean" && (
            <Button
              type="submit"
              loading={save.isPending}
              aria-label={`Save: ${settingName(name)}`}
            >
              Save
            </Button>
          )}
        </Group>
      </form>
      {dialog}
    </li>
  );
}

function useSave() {
  const refresh = useRefresh();
  return api.useMutation("patch", "/api/v1/settings", {
    meta: { inForm: true },
    onSuccess: async () => {
      await refresh("settings");
    },
  });
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
