import { useState } from "react";

import { detailOf, fieldErrorsOf, statusOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { baseOf, type Block, type Draft, isSame, type Kind, type Saved, written } from "./content";
import { keep, kept } from "./drafts";
import { useActions } from "./useActions";

export interface Faults {
  name?: string;
  description?: string;
  messages: Record<number, string>;
  imprint: Record<number, string>;
  /** What belongs to no field. */
  problem: string | null;
}

const NONE: Faults = { messages: {}, imprint: {}, problem: null };
const EMPTY = "Write something, or delete the message";

/** Saves a draft, and says where something is wrong with it. */
export function useSaving(kind: Kind, key: string, saved: Saved | undefined) {
  const [faults, setFaults] = useState(NONE);
  const [saving, setSaving] = useState(false);
  const { create, change } = useActions(kind);
  const refresh = useRefresh();

  const send = (draft: Draft) =>
    saved
      ? change(saved.id, { ...written(draft), revision: draft.base.revision })
      : create({ ...written(draft), workspaceId: draft.workspaceId });

  /** The saved one, or null if it could not be saved. */
  const save = async (draft: Draft): Promise<Saved | null> => {
    const found = check(draft);
    setFaults(found);
    if (isFaulty(found)) return null;
    setSaving(true);
    try {
      const result = await send(draft);
      const now = kept(key);
      // What was typed while it was being saved is still to be saved.
      keep(key, now && saved && !isSame(now, draft) ? { ...now, base: baseOf(result) } : null);
      notify.done(`“${result.name}” is saved.`);
      return result;
    } catch (error) {
      const isConflict = statusOf(error) === 409 && "revision" in fieldErrorsOf(error);
      // What the others wrote is read, and the page shows that it is newer.
      if (isConflict) {
        await refresh("prompt");
      } else setFaults(faultsOf(error));
      return null;
    } finally {
      setSaving(false);
    }
  };
  return { faults, saving, save, forget: () => setFaults(NONE) };
}

const isFaulty = ({ name, messages, imprint, problem }: Faults) =>
  Boolean(name ?? problem) || Object.keys({ ...messages, ...imprint }).length > 0;

function check(draft: Draft): Faults {
  const empty = (blocks: Block[]) =>
    Object.fromEntries(
      blocks.flatMap(({ content }, place) => (content ? [] : [[place, EMPTY] as const])),
    );
  return {
    name: draft.name.trim() ? undefined : "A name is needed",
    messages: empty(draft.messages),
    imprint: empty(draft.imprint),
    problem: draft.messages.length === 0 ? "A prompt has at least one message." : null,
  };
}

function faultsOf(error: unknown): Faults {
  const fields = Object.entries(fieldErrorsOf(error));
  const within = (part: string) =>
    Object.fromEntries(
      fields.flatMap(([path, message]) => {
        const [first, place] = path.split(".");
        return first === part && place ? [[Number(place), message] as const] : [];
      }),
    );
  const { name, description } = Object.fromEntries(fields);
  const found = { name, description, messages: within("messages"), imprint: within("imprint") };
  const shown = fields.every(([path]) =>
    /^(name|description|(messages|imprint)\.\d+\..*)$/.test(path),
  );
  return { ...found, problem: fields.length > 0 && shown ? null : detailOf(error) };
}
