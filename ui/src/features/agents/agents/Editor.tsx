import { Box } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";

import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Section } from "@/components/Section";
import { useDraftKey } from "@/drafts/drafts";
import { Conflict } from "@/features/agents/prompts/Conflict";
import { useMe } from "@/features/identity/useMe";

import { Trial } from "../trial/Trial";
import styles from "./Agents.module.css";
import { type Draft, edit, keep, useKept } from "./drafts";
import type { Form } from "./fields/form";
import { Sections } from "./fields/Sections";
import { Keys } from "./Keys";
import { SaveBar } from "./SaveBar";
import { Summary } from "./Summary";
import { useSaving } from "./useSaving";
import { type Agent, type AgentValues, isSame } from "./values";

interface Props {
  /** Under which name what is typed is kept. */
  id: string;
  /** What the form begins from. */
  start: AgentValues;
  /** As the server has it; a new one it does not have yet. */
  saved?: Agent;
  places?: { value: string; label: string }[];
  onSaved?: (agent: Agent) => void;
}

/** Everything that can be set about an agent, and what it comes to. Give it another key for another agent. */
export function Editor({ id, start, saved, places = [], onSaved }: Props) {
  const key = useDraftKey()(id);
  const changed = useKept(key);
  const base = { revision: saved?.revision ?? 0, values: start };
  const draft: Draft = changed ?? { values: start, base };
  const { faults, saving, save, forget } = useSaving(key, saved);
  const me = useMe();
  const formId = useId();
  const frame = useRef<HTMLFormElement>(null);
  const isBehind =
    saved !== undefined && changed !== undefined && !isSame(changed.base.values, start);
  const maySave = !isBehind && !saving && (changed !== undefined || !saved);

  useEffect(() => {
    frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [faults]);

  const form: Form = {
    values: draft.values,
    faults,
    set: (values) => edit(key, draft, () => values),
    setBlocks: (part) => (change) => edit(key, draft, (now) => ({ [part]: change(now[part]) })),
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
  const insist = () => {
    if (changed) keep(key, { ...changed, base });
    forget();
  };
  const onKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    void submit();
  };
  return (
    <>
      <div className={styles.desk}>
        <div>
          {(isBehind || faults.problem) && (
            <Box mb="lg">
              {isBehind ? (
                <Conflict kind="agent" onTheirs={discard} onMine={insist} />
              ) : (
                <ProblemAlert>{faults.problem}</ProblemAlert>
              )}
            </Box>
          )}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its fields have the focus */}
          <form
            id={formId}
            ref={frame}
            noValidate
            aria-label="Agent"
            onKeyDown={onKey}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <Sections
              form={form}
              id={saved?.id}
              ownerId={saved?.ownerId ?? me.id}
              places={places}
            />
          </form>
          {saved && draft.values.kind === "director" && saved.kind === "director" && (
            <Trial agent={saved} values={draft.values} />
          )}
          {/* Not in the form: its dialog is a form of its own, and sending that would send this. */}
          {saved && (
            <Section
              title="Its own key"
              description="For its model, if it is not to use the office’s. It takes effect at once."
            >
              <Keys agentId={saved.id} />
            </Section>
          )}
        </div>
        <div className={styles.aside}>
          <Summary values={draft.values} />
        </div>
      </div>
      <SaveBar
        form={formId}
        isNew={!saved}
        isChanged={changed !== undefined}
        saving={saving}
        maySave={maySave}
        onDiscard={discard}
      />
    </>
  );
}
