import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";

import type { Schemas } from "@/api/client";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Section } from "@/components/Section";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { Unfold } from "@/components/Unfold";

import type { Agent, AgentValues } from "../agents/values";
import { Said } from "../prompts/Said";
import { Rehearsal } from "./Rehearsal";
import { useTrial } from "./useTrial";

interface Props {
  agent: Agent;
  /** As they are typed, saved or not. */
  values: AgentValues;
}

const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

const named = ({ subject, sender, date }: Schemas["MailLineOut"]) =>
  `${subject || "(no subject)"} · ${sender.name || sender.address} · ${day.format(new Date(date))}`;

/** A director on a real mail: what its model would read, and what it would do with it. */
export function Trial({ agent, values }: Props) {
  const trial = useTrial(agent.id, values);
  return (
    <Section
      title="Try it on a mail"
      description="With the prompt and the model as they stand above, saved or not. Nothing is sent or changed."
    >
      <Loaded query={trial.mails}>
        {({ items }) =>
          items.length > 0 ? (
            <Chosen trial={trial} mails={items} isActive={agent.isActive ?? true} />
          ) : (
            <Empty title="No mail to try it on">
              None of its accounts that are open to you has mail in its inbox.{" "}
              <TextLink to="/settings/accounts" underline="always">
                Accounts
              </TextLink>
            </Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

interface ChosenProps {
  trial: ReturnType<typeof useTrial>;
  mails: Schemas["MailLineOut"][];
  isActive: boolean;
}

function Chosen({ trial, mails, isActive }: ChosenProps) {
  const { mailId, choose, run, starting, problem, session } = trial;
  return (
    <Stack gap="md">
      <NativeSelect
        label="Mail"
        description="The newest in the inboxes of its accounts"
        value={mailId ?? ""}
        data={mails.map((mail) => ({ value: mail.id, label: named(mail) }))}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <Unfold label="What the model reads">{() => <Look trial={trial} />}</Unfold>
      <div>
        <Button
          variant="default"
          leftSection={<IconFlask size={16} />}
          loading={starting}
          disabled={!isActive}
          onClick={run}
        >
          Run it on this mail without effects
        </Button>
        {!isActive && (
          <Text size="sm" c="dimmed" mt={4}>
            Switch it on first.
          </Text>
        )}
      </div>
      <ProblemAlert>{problem}</ProblemAlert>
      {session && <Loaded query={session}>{(found) => <Rehearsal session={found} />}</Loaded>}
    </Stack>
  );
}

function Look({ trial: { preview } }: { trial: ChosenProps["trial"] }) {
  return (
    <Loaded query={preview}>
      {({ messages, missing }) => (
        <>
          {missing.length > 0 && (
            <ProblemAlert>{`No value here: ${missing.join(", ")}. It could not begin.`}</ProblemAlert>
          )}
          {messages.map((message, place) => (
            <Said key={place} message={message} />
          ))}
        </>
      )}
    </Loaded>
  );
}
