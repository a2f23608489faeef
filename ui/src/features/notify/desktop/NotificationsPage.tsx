import { Alert, Checkbox, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";

import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { useMe } from "@/features/identity/useMe";

import { type Event, EVENTS, keep, useChoices } from "./choices";

const REFUSED =
  "This browser does not let the office show notifications. Allow them in the browser's settings for this address, then come back.";
const MISSING =
  "This browser shows notifications only on HTTPS or on this machine itself: ask whoever runs the office.";

/** What a person is told of, and where. */
export function NotificationsPage() {
  const { id: me } = useMe();
  const choices = useChoices(me);
  const isThere = "Notification" in window && window.isSecureContext;
  const [permission, setPermission] = useState(isThere ? Notification.permission : "denied");
  const isOn = choices.on && permission === "granted";
  const turn = async (on: boolean) => {
    const given =
      on && permission !== "granted" ? await Notification.requestPermission() : permission;
    setPermission(given);
    keep(me, { ...choices, on: on && given === "granted" });
  };
  const set = (event: Event, wanted: boolean) => {
    const others = choices.events.filter((one) => one !== event);
    keep(me, { ...choices, events: wanted ? [...others, event] : others });
  };
  return (
    <Page title="Notifications">
      <Section
        title="On this desktop"
        description="While you look at something else. Each browser has its own choices."
      >
        <Stack gap="md">
          <Switch
            label="Show notifications in this browser"
            checked={isOn}
            disabled={!isThere}
            onChange={({ currentTarget }) => void turn(currentTarget.checked)}
          />
          {!isThere && <Alert color="gray">{MISSING}</Alert>}
          {isThere && permission === "denied" && <Alert color="gray">{REFUSED}</Alert>}
          <Checkbox.Group label="Tell me when" value={choices.events}>
            <Stack gap="xs" mt="xs">
              {Object.entries(EVENTS).map(([event, words]) => (
                <Checkbox
                  key={event}
                  value={event}
                  label={words}
                  disabled={!isOn}
                  onChange={({ currentTarget }) => set(event as Event, currentTarget.checked)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Switch
            label="Say which mail it is about"
            description="Otherwise a notification names no subject and no director: others may see the screen."
            checked={choices.subjects}
            disabled={!isOn}
            onChange={({ currentTarget }) =>
              keep(me, { ...choices, subjects: currentTarget.checked })
            }
          />
          <Text size="sm" c="dimmed">
            Other programs are told by webhooks, which an admin sets up.
          </Text>
        </Stack>
      </Section>
    </Page>
  );
}
