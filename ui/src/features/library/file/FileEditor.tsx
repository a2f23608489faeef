import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import { useState } from "react";

import { detailOf, statusOf } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Unfold } from "@/components/Unfold";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import { type FileText, nameOf } from "../browser/browsed";
import { numbered } from "../upload/names";
import { drafts, type WrittenText } from "./drafts";
import styles from "./File.module.css";
import { asFile, endsOf, inField } from "./lines";
import { useFileVerbs } from "./useFileVerbs";

interface Props {
  workspace: string;
  path: string;
  /** Under which it is kept until it is saved. */
  draftKey: string;
  /** The file and its whole text as they are now; null: the file is no longer there. */
  now: { file: FileText; text: string } | null;
  onClose: () => void;
  onOther: (path: string) => void;
}

/** Writes the text of a file. What was changed meanwhile elsewhere is never overwritten unseen, and nothing typed is lost. */
export function FileEditor({ workspace, path, draftKey, now, onClose, onOther }: Props) {
  const draft = drafts.useKept(draftKey);
  const [problem, setProblem] = useState<string | null>(null);
  const verbs = useFileVerbs(workspace);
  const begun: WrittenText | undefined =
    draft ??
    (now ? { text: inField(now.text), over: now.file.etag, ends: endsOf(now.text) } : undefined);
  if (!begun) return null;
  const isBehind = now !== null && begun.over !== now.file.etag;
  const type = (text: string) =>
    drafts.keep(
      draftKey,
      now && !isBehind && text === inField(now.text) ? null : { ...begun, text },
    );
  const drop = () => {
    drafts.keep(draftKey, null);
    onClose();
  };
  const attempt = async (saving: ReturnType<typeof verbs.write>) => {
    setProblem(null);
    try {
      const done = await saving;
      // What waits for an answer may be refused: it is kept until it is there.
      if (done.status === "done") drop();
      return done;
    } catch (error) {
      // That it was changed meanwhile is said above, with what to do.
      setProblem(statusOf(error) === 409 && now ? null : detailOf(error));
    }
  };
  const written = asFile(begun.text, begun.ends);
  const save = () => void attempt(verbs.write(path, written, begun.over));
  const saveElsewhere = (to: string) =>
    void attempt(verbs.create(to, written)).then((done) => done?.path && onOther(done.path));
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ProblemAlert>{problem}</ProblemAlert>
      {now === null && (
        <Alert color="gray" title="The file is no longer there" role="alert">
          <Text size="sm">What you wrote is kept here.</Text>
          <Button mt="xs" size="xs" variant="default" onClick={() => saveElsewhere(path)}>
            Make it again with my text
          </Button>
        </Alert>
      )}
      {isBehind && (
        <Behind
          theirs={now.text}
          onTheirs={drop}
          onMine={() => drafts.keep(draftKey, { ...begun, over: now.file.etag })}
          onBoth={() => saveElsewhere(numbered(path, 2))}
        />
      )}
      {begun.ends === "mixed" && (
        <Text size="xs" c="dimmed">
          Its lines end in different ways. Once saved, they all end in the same.
        </Text>
      )}
      <Textarea
        aria-label={`Text of ${nameOf(path)}`}
        classNames={{ root: styles.field, wrapper: styles.field, input: styles.input }}
        spellCheck={false}
        data-autofocus
        value={begun.text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          if (draft && !isBehind && now) save();
        }}
      />
      <Group gap="xs">
        <Button
          type="submit"
          size="xs"
          loading={verbs.isBusy}
          disabled={!draft || isBehind || now === null}
        >
          Save
        </Button>
        <Button size="xs" variant="default" onClick={drop}>
          {draft ? "Discard" : "Close"}
        </Button>
        {draft && (
          <Text size="xs" c="dimmed" role="status">
            Not saved yet
          </Text>
        )}
      </Group>
    </form>
  );
}

interface BehindProps {
  theirs: string;
  onTheirs: () => void;
  onMine: () => void;
  onBoth: () => void;
}

function Behind({ theirs, onTheirs, onMine, onBoth }: BehindProps) {
  return (
    <Alert color="gray" title="It was changed meanwhile" role="alert">
      <Text size="sm">
        Somebody else, or another program, changed the file while you were writing. Your text stands
        below and is not saved yet. If you go on with it, the other text stays among the versions.
      </Text>
      <Unfold label="What is there now">
        {() => (
          <div className={styles.theirs} role="region" aria-label="What is there now" tabIndex={0}>
            <Untrusted most={4000}>{theirs || "Nothing"}</Untrusted>
          </div>
        )}
      </Unfold>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={onTheirs}>
          Keep what is there
        </Button>
        <Button size="xs" variant="default" onClick={onMine}>
          Go on with mine
        </Button>
        <Button size="xs" variant="default" onClick={onBoth}>
          Save mine as another file
        </Button>
      </Group>
    </Alert>
  );
}
