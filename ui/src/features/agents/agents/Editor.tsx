import { Box } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";

import { notify } from "@/components/notify";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Section } from "@/components/Section";
import { Conflict } from "@/features/agents/prompts/Conflict";
import { useMe } from "@/features/identity/useMe";

import styles from "./Agents.module.css";
import { type Draft, edit, keep, useDraftKey, useKept } from "./drafts";
import { Basics } from "./fields/Basics";
import { Bounds } from "./fields/Bounds";
import { Capabilities } from "./fields/Capabilities";
import { Colleagues } from "./fields/Colleagues";
import type { Form } from "./fields/form";
import { Places } from "./fields/Places";
import { Sharing } from "./fields/Sharing";
import { Told } from "./fields/Told";
import { Tools } from "./fields/Tools";
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
  const key = useDraftKey(id);
  const changed = useKept(key);
  const base = { revision: saved?.revision ?? 0, values: start };
  const draft: Draft = changed ?? { values: start, base };
  const { faults, saving, save, forget } = useSaving(key, saved);
  const me = useMe();
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
    <form
      ref={frame}
      noValidate
      aria-label="Agent"
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
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
          <Section title="What it is">
            <Basics form={form} places={places} />
          </Section>
          <Section title="What it is told" description="Before it begins, in this order.">
            <Told form={form} />
          </Section>
          <Section
            title="What it may do"
            description="Whatever is not ticked, no rule and no approval can allow."
          >
            <Capabilities form={form} />
          </Section>
          <Section title="Where" description="What lies outside, it cannot even see.">
            <Places form={form} />
          </Section>
          <Section title="Tools">
            <Tools form={form} />
          </Section>
          <Section title="Colleagues">
            <Colleagues form={form} id={saved?.id} ownerId={saved?.ownerId ?? me.id} />
          </Section>
          <Section title="How much" description="At a bound it stops, and says which.">
            <Bounds form={form} />
          </Section>
          <Section title="Who may use it">
            <Sharing form={form} />
          </Section>
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
        isNew={!saved}
        isChanged={changed !== undefined}
        saving={saving}
        maySave={maySave}
        onDiscard={discard}
      />
    </form>
  );
}
