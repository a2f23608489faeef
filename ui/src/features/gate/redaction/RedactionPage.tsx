import { Button, Stack, Textarea } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { useMe } from "@/features/identity/useMe";
import { useDialog } from "@/routes/useDialog";

import { Redacted } from "./Redacted";
import { RedactionDialog } from "./RedactionDialog";
import { RedactionRow } from "./RedactionRow";

const DESCRIPTION =
  "Text that is taken out of every result before an agent or a model sees it, and before it is written into the audit.";

/** What is taken out of texts. */
export function RedactionPage() {
  const { isAdmin } = useMe();
  if (isAdmin) return <ForAdmins />;
  return (
    <Page title="Redaction" description={DESCRIPTION}>
      <Empty title="Admins of this office decide what is taken out">
        Ask one of them if something should be, or if too much is.
      </Empty>
    </Page>
  );
}

function ForAdmins() {
  const { data, error, refetch } = api.useQuery("get", "/api/v1/redactions");
  const [making, { open, close }] = useDialog();
  const { dialog } = useSearch({ strict: false });
  const part = (builtin: boolean) => ({
    data: data && { items: data.items.filter((one) => (one.builtin !== null) === builtin) },
    error,
    refetch,
  });
  const own = part(false);
  const edited = own.data?.items.find(({ id }) => id === dialog);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New pattern
    </Button>
  );
  return (
    <Page title="Redaction" description={DESCRIPTION} actions={own.data?.items.length ? add : null}>
      <Section
        title="Built in"
        description="These check what they find: a number that only looks like a card stays."
      >
        <Listing
          label="Built-in kinds"
          query={part(true)}
          expected={6}
          empty={<Empty title="There is no built-in kind" />}
        >
          {(redaction) => <RedactionRow key={redaction.id} redaction={redaction} />}
        </Listing>
      </Section>
      <Section title="Your own patterns">
        <Listing
          label="Your own patterns"
          query={own}
          expected={1}
          empty={
            <Empty title="You have no patterns of your own" action={add}>
              Add one for what only you know: project numbers, customer ids, code names.
            </Empty>
          }
        >
          {(redaction) => <RedactionRow key={redaction.id} redaction={redaction} />}
        </Listing>
      </Section>
      <TryIt />
      <RedactionDialog opened={making || edited !== undefined} onClose={close} redaction={edited} />
    </Page>
  );
}

function TryIt() {
  const [text, setText] = useState("");
  return (
    <Section
      title="Try it"
      description="With everything that is switched on. The text is not kept."
    >
      <Stack gap="xs">
        <Textarea
          aria-label="A text to try it on"
          placeholder="Pay with 4111 1111 1111 1111, please"
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {text && <Redacted text={text} />}
      </Stack>
    </Section>
  );
}
