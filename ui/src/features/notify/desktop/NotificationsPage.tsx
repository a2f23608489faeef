import { Alert, Button, Checkbox, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";

import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Loaded, LoadingForm } from "@/components/states";

import { type Choices, type Event, EVENTS, useChoices } from "./choices";

const REFUSED =
  "This browser does not let the office show notifications. Allow them in the browser's settings for this address, then come back.";
const MISSING =
  "This browser shows notifications only on HTTPS or on this machine itself: ask whoever runs the office.";

/** What a person is told of, and where. */
export function NotificationsPage() {
  const { query, keep } = useChoices();
  return (
    <Page title="Notifications">
      <Section
        title="On your desktop"
        description="While you look at something else. What you choose holds in each of your browsers that may show notifications."
      >
        <Loaded query={query} loading={<LoadingForm />}>
          {(choices) => <Chosen choices={choices} keep={keep} />}
        </Loaded>
      </Section>
    </Page>
  );
}

interface Props {
  choices: Choices;
  keep: (choices: Choices) => void;
}

function Chosen({ choices, keep }: Props) {
  const { permission, ask } = usePermission();
  const set = (event: Event, wanted: boolean) => {
    const others = choices.events.filter((one) => one !== event);
    keep({ ...choices, events: wanted ? [...others, event] : others });
  };
  const turn = async (desktop: boolean) => {
    if (desktop && permission === "default" && (await ask()) !== "granted") return;
    keep({ ...choices, desktop });
  };
  return (
    <Stack gap="md">
      <Switch
        label="Show notifications"
        checked={choices.desktop}
        onChange={({ currentTarget }) => void turn(currentTarget.checked)}
      />
      <ThisBrowser permission={permission} isOn={choices.desktop} ask={ask} />
      <Checkbox.Group label="Tell me when" value={choices.events}>
        <Stack gap="xs" mt="xs">
          {Object.entries(EVENTS).map(([event, words]) => (
            <Checkbox
              key={event}
              value={event}
              label={words}
              disabled={!choices.desktop}
              onChange={({ currentTarget }) => set(event as Event, currentTarget.checked)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Switch
        label="Say which mail it is about"
        description="Otherwise a notification names no subject and no director: others may see the screen."
        checked={choices.subjects}
        disabled={!choices.desktop}
        onChange={({ currentTarget }) => keep({ ...choices, subjects: currentTarget.checked })}
      />
      <Text size="sm" c="dimmed">
        Other programs are told by webhooks, which an admin sets up.
      </Text>
    </Stack>
  );
}

/** What this browser allows: only it knows, and only a person can change that. */
function usePermission() {
  const isThere = "Notification" in window && window.isSecureContext;
  const [permission, setPermission] = useState(isThere ? Notification.permission : "missing");
  const ask = async () => {
    const given = await Notification.requestPermission();
    setPermission(given);
    return given;
  };
  return { permission, ask };
}

type Permission = ReturnType<typeof usePermission>;

function ThisBrowser({ permission, isOn, ask }: Permission & { isOn: boolean }) {
  if (permission === "missing") return <Alert color="gray">{MISSING}</Alert>;
  if (permission === "denied") return <Alert color="gray">{REFUSED}</Alert>;
  if (permission === "granted" || !isOn) return null;
  return (
    <Alert color="gray">
      This browser has not been asked yet.{" "}
      <Button size="compact-sm" variant="default" onClick={() => void ask()}>
        Allow them here
      </Button>
    </Alert>
  );
}
