import { Button, Group, Text, Textarea } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { detailOf, statusOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Section } from "@/components/Section";
import { draftsOf, useDraftKey } from "@/drafts/drafts";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { useRefresh } from "@/live/useRefresh";

import styles from "./Guideline.module.css";

type Guideline = Schemas["GuidelineOut"];

/** What is written, and the digest of the text that it is meant to replace. */
interface Written {
  text: string;
  over: string | null;
}

const drafts = draftsOf<Written | null>("guideline", { isWorthKeeping: Boolean, warns: true });

/** What belongs where in one notebook, in one's own words. If somebody else changed it meanwhile, both are shown. */
export function GuidelineEditor({
  guideline,
  mayWrite,
}: {
  guideline: Guideline;
  mayWrite: boolean;
}) {
  const { notebookId, notebook, text: saved, digest } = guideline;
  const key = useDraftKey()(notebookId);
  const draft = drafts.useKept(key);
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = useRefresh();
  const writing = api.useMutation("put", "/api/v1/inbox/guidelines/{notebook_id}", {
    meta: { inForm: true },
    onSettled: () => refresh("guideline"),
  });
  const text = draft?.text ?? saved;
  // The live reading is another text than the one that this began with.
  const isBehind = draft !== undefined && draft !== null && draft.over !== digest;
  const write = (next: string) =>
    drafts.keep(key, next === saved ? null : { text: next, over: draft ? draft.over : digest });
  const drop = () => {
    drafts.keep(key, null);
    setProblem(null);
  };
  const save = (over: string | null) =>
    writing.mutate(
      { params: { path: { notebook_id: notebookId } }, body: { text, digest: over } },
      {
        onSuccess: () => {
          drop();
          notify.done(`The guideline of ${notebook} is saved.`);
        },
        // That it was changed shows below, with both texts.
        onError: (error) => setProblem(statusOf(error) === 409 ? null : detailOf(error)),
      },
    );
  return (
    <Section title={notebook} description="guideline.md in this notebook: the organiser reads it.">
      <form
        className={styles.editor}
        onSubmit={(event) => {
          event.preventDefault();
          save(draft ? draft.over : digest);
        }}
      >
        <ProblemAlert>{problem}</ProblemAlert>
        {isBehind && (
          <Behind
            theirs={saved}
            mine={text}
            onTheirs={drop}
            onMine={() => drafts.keep(key, { text, over: digest })}
          />
        )}
        <Textarea
          aria-label={`Guideline of ${notebook}`}
          placeholder={"Invoices: finance\nLetters from the landlord: home/flat"}
          autosize
          minRows={6}
          maxRows={24}
          maxLength={200_000}
          readOnly={!mayWrite}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
        />
        {mayWrite && draft && (
          <Group gap="xs">
            <Button
              type="submit"
              size="xs"
              loading={writing.isPending}
              disabled={isBehind}
              aria-label={`Save the guideline of ${notebook}`}
            >
              Save
            </Button>
            <Button size="xs" variant="default" onClick={drop}>
              Discard
            </Button>
          </Group>
        )}
      </form>
    </Section>
  );
}

interface BehindProps {
  theirs: string;
  mine: string;
  onTheirs: () => void;
  onMine: () => void;
}

function Behind({ theirs, mine, onTheirs, onMine }: BehindProps) {
  return (
    <div role="alert" className={styles.behind}>
      <Text size="sm">
        The guideline was changed while you were writing. Nothing of yours is saved yet.
      </Text>
      <div className={styles.sides}>
        <Side title="The newest" text={theirs} />
        <Side title="Yours" text={mine} />
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTheirs}>
          Keep the newest
        </Button>
        <Button size="xs" variant="default" onClick={onMine}>
          Go on with yours
        </Button>
      </Group>
    </div>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title} className={styles.side}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <div className={styles.text} role="region" aria-label={`${title}, the text`} tabIndex={0}>
        <Untrusted most={4000}>{text || "Nothing"}</Untrusted>
      </div>
    </section>
  );
}
