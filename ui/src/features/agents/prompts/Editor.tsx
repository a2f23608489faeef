import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { type ReactNode, useState } from "react";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Section } from "@/components/Section";
import { useDraftKey } from "@/drafts/drafts";

import { Blocks } from "./Blocks";
import { Conflict } from "./Conflict";
import type { Base, Block, Content, Draft, Kind, Saved } from "./content";
import { edit, keep, useKept } from "./drafts";
import { EditorHead } from "./EditorHead";
import { Preview } from "./Preview";
import styles from "./Prompts.module.css";
import { usePreview } from "./usePreview";
import { useSaving } from "./useSaving";

const READ = "You may read this, and not change it.";

interface Props {
  id: string;
  kind: Kind;
  base: Base;
  /** As the server has it; a new one it does not have yet. */
  saved?: Saved;
  mayWrite: boolean;
  /** Why it cannot be changed. */
  note?: string;
  /** Where a new one can be put. */
  places?: { value: string; label: string }[];
  actions?: ReactNode;
  onSaved?: (saved: Saved) => void;
}

/** A prompt as it is written, and what a model would read of it. Give it another key for another prompt. */
export function Editor(props: Props) {
  const { id, kind, base, saved, mayWrite, note = READ, places = [], actions, onSaved } = props;
  const key = useDraftKey()(id);
  const changed = useKept(key);
  const draft: Draft = changed ?? { ...base.content, base };
  const [values, setValues] = useState<Record<string, string>>({});
  const preview = usePreview(draft, values);
  const variables = useVariables(preview.data?.variables ?? []);
  const { faults, saving, save, forget } = useSaving(kind, key, saved);
  const isBehind = changed !== undefined && changed.base.revision !== base.revision;
  const maySave = mayWrite && !isBehind && !saving && (changed !== undefined || !saved);

  const set = (values: Partial<Content>) => edit(key, draft, () => values);
  const setBlocks = (part: "messages" | "imprint") => (change: (blocks: Block[]) => Block[]) => {
    forget();
    edit(key, draft, (now) => ({ [part]: change(now[part]) }));
  };
  const submit = async () => {
    const result = maySave ? await save(draft) : null;
    if (result) onSaved?.(result);
  };
  const discard = () => {
    keep(key, null);
    forget();
    notify.undoable(Promise.resolve(), "Your changes are dropped.", async () => keep(key, draft));
  };
  // Wherever the focus is: the browser's own "save" is never meant here.
  useWindowEvent("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    void submit();
  });
  const lists = { readOnly: !mayWrite, variables };
  return (
    <form
      noValidate
      aria-label={kind === "prompt" ? "Prompt" : "Template"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <EditorHead
        title={saved?.name ?? "New prompt"}
        note={mayWrite ? undefined : note}
        isChanged={changed !== undefined}
        saving={saving}
        maySave={maySave}
        onDiscard={discard}
        mayWrite={mayWrite}
        actions={actions}
      />
      <div className={styles.desk}>
        <Stack gap="md">
          {isBehind && (
            <Conflict
              kind={kind}
              onTheirs={discard}
              onMine={() => keep(key, { ...changed, base })}
            />
          )}
          <ProblemAlert>{faults.problem}</ProblemAlert>
          <TextInput
            label="Name"
            value={draft.name}
            maxLength={100}
            readOnly={!mayWrite}
            error={faults.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="What it is for"
            value={draft.description}
            maxLength={500}
            readOnly={!mayWrite}
            error={faults.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          {places.length > 1 && (
            <NativeSelect
              label="Workspace"
              description="Its agents can use the prompt"
              data={places}
              value={draft.workspaceId}
              onChange={(event) => set({ workspaceId: event.currentTarget.value })}
            />
          )}
          <Section title="Messages">
            <Blocks
              noun="Message"
              blocks={draft.messages}
              faults={faults.messages}
              onChange={setBlocks("messages")}
              {...lists}
            />
          </Section>
          {(mayWrite || draft.imprint.length > 0) && (
            <Section
              title="Imprint"
              description="An example conversation that shows how it is done. It follows the messages."
            >
              <Blocks
                noun="Example"
                blocks={draft.imprint}
                faults={faults.imprint}
                onChange={setBlocks("imprint")}
                {...lists}
              />
            </Section>
          )}
        </Stack>
        <Preview
          query={preview}
          examples={draft.imprint.length}
          values={values}
          onValue={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
      </div>
    </form>
  );
}

/** What can be put in: what every run knows, and what this prompt uses besides. */
function useVariables(used: string[]) {
  const known = api.useQuery("get", "/api/v1/prompts/variables", {}, { staleTime: Infinity });
  const items = known.data?.items ?? [];
  const own = used.filter((name) => !items.some((one) => one.name === name));
  return [...items, ...own.map((name) => ({ name, meaning: "Used in this prompt" }))];
}
