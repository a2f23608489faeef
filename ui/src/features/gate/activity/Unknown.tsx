import { Button } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { Row, Rows } from "@/components/Rows";
import { Section } from "@/components/Section";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { useRefresh } from "@/live/useRefresh";

import { CallerName } from "../shared/CallerName";
import { Gist } from "../shared/Gist";
import { Untrusted } from "../shared/Untrusted";
import { useMayWrite } from "../shared/useWorkspaces";

type Action = Schemas["ActionOut"];

/** Actions of which nobody saw the end. They are never tried again by themselves: a person looks, and says. */
export function Unknown({ actions }: { actions: Action[] }) {
  if (actions.length === 0) return null;
  return (
    <Section
      title="Did it happen?"
      description="Something broke off before it was known whether these took effect. Look, then say. Until then they are not tried again."
    >
      <Rows label="Did it happen?">
        {actions.map((action) => (
          <UnknownRow key={action.id} action={action} />
        ))}
      </Rows>
    </Section>
  );
}

function UnknownRow({ action }: { action: Action }) {
  const { id, title, caller, createdAt, error, workspaceId } = action;
  const mayWrite = useMayWrite();
  return (
    <Row
      wraps
      title={
        <TextLink to="/activity/$actionId" params={{ actionId: id }} fw={500}>
          {title}
        </TextLink>
      }
      marks={<Gist values={action.arguments} />}
      meta={[
        <CallerName key="caller" caller={caller} />,
        <When key="at" at={createdAt} />,
        error && (
          <Untrusted key="error" most={200}>
            {error}
          </Untrusted>
        ),
      ]}
      actions={mayWrite(workspaceId) && <Settle action={action} />}
    />
  );
}

/** The two answers. */
export function Settle({ action: { id, title } }: { action: Action }) {
  const refresh = useRefresh();
  const settle = api.useMutation("post", "/api/v1/actions/{action_id}/settle", {
    onSuccess: () => notify.done("Thank you. It is noted under your name."),
    onSettled: () => refresh("action"),
  });
  const say = (happened: boolean) =>
    settle.mutate({ params: { path: { action_id: id } }, body: { happened } });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        disabled={settle.isPending}
        onClick={() => say(true)}
        aria-label={`It happened: ${title}`}
      >
        It happened
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={settle.isPending}
        onClick={() => say(false)}
        aria-label={`It did not happen: ${title}`}
      >
        It did not
      </Button>
    </>
  );
}
