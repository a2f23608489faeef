import { NativeSelect, Text, Textarea, TextInput } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";

import { useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";

import type { Account, Mail } from "../words";
import { Addresses } from "./Addresses";
import {
  answeredTo,
  drafts,
  type Kind,
  type Letter,
  type Start,
  titleOf,
  useLetterKey,
} from "./letters";
import { useSending } from "./useSending";

interface Props {
  kind: Kind | null;
  /** The one that is answered. */
  mail: Mail | undefined;
  workspaceId: string;
  accounts: Account[];
  /** What the text begins with. */
  from?: Start;
  onOpen: (kind: Kind) => void;
  onClose: () => void;
}

/** Writes a mail, or an answer. It goes out from the office's gate, in the name of whoever writes it. */
export function Composer(props: Props) {
  const { kind: asked, mail, workspaceId, accounts, from, onOpen, onClose } = props;
  const kind = asked ?? "new";
  const key = useLetterKey(kind, mail, from);
  const isAnswer = kind !== "new";
  const opened = asked !== null && (!isAnswer || mail !== undefined);
  const usable = accounts.filter(({ enabled }) => enabled);
  const first = usable.find(({ isPrimary }) => isPrimary) ?? usable[0];
  const blank = {
    to: [],
    cc: [],
    subject: "",
    body: from?.text ?? "",
    account: first?.label ?? "",
  };
  const { form, problem, fail } = useProblemForm<Letter & Record<string, unknown>>(
    {
      initialValues: { ...blank, ...drafts.kept(key) },
      validate: {
        to: (to) => (isAnswer || to.length > 0 ? null : "Who gets it? One address at least"),
        body: (body) => (body.trim() ? null : "Write something first"),
      },
    },
    opened,
  );
  const keep = useEffectEvent((letter: Letter) => drafts.keep(key, letter));
  useEffect(() => {
    if (opened) keep(form.values);
  }, [opened, form.values]);
  const { send, isSending } = useSending({
    ...{ workspaceId, kind, mail, from },
    reopen: () => onOpen(kind),
  });
  const addresses = (name: "to" | "cc") => ({
    value: form.values[name],
    onChange: (value: string[]) => form.setFieldValue(name, value),
    error: form.errors[name],
  });
  const submit = (letter: Letter) => void send(letter).then(onClose, fail);
  return (
    <FormDialog
      title={titleOf(kind, mail)}
      verb="Send"
      size="lg"
      opened={opened}
      onClose={onClose}
      pending={isSending}
      problem={problem}
      onSubmit={form.onSubmit(submit)}
    >
      {isAnswer && mail ? (
        <Text size="sm">
          <Text span c="dimmed">
            To
          </Text>{" "}
          {answeredTo(kind, mail)}{" "}
          <Text span c="dimmed">
            from
          </Text>{" "}
          {accounts.find(({ id }) => id === mail.accountId)?.address}
        </Text>
      ) : (
        <Addresses label="To" workspaceId={workspaceId} autoFocus {...addresses("to")} />
      )}
      <Addresses label="Copy to" workspaceId={workspaceId} {...addresses("cc")} />
      {!isAnswer && (
        <TextInput
          label="Subject"
          maxLength={500}
          autoComplete="off"
          {...form.getInputProps("subject")}
        />
      )}
      <Textarea
        label="Text"
        description={isAnswer ? answerNote(mail, accounts) : undefined}
        autosize
        minRows={8}
        maxRows={20}
        data-autofocus={isAnswer || undefined}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
        {...form.getInputProps("body")}
      />
      {!isAnswer && usable.length > 1 && (
        <NativeSelect
          label="From"
          data={usable.map(({ label, address }) => ({
            value: label,
            label: `${label} (${address})`,
          }))}
          {...form.getInputProps("account")}
        />
      )}
    </FormDialog>
  );
}

/** What the server adds to an answer. */
function answerNote(mail: Mail | undefined, accounts: Account[]): string {
  const account = accounts.find(({ id }) => id === mail?.accountId);
  const quoted = "What you answer is quoted below it";
  return account?.signature.text
    ? "Your signature is added, and what you answer is quoted below it"
    : quoted;
}
