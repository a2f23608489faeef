import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "@/api/client";
import { detailOf, fieldErrorsOf, statusOf } from "@/api/problem";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { type Draft, keep, kept } from "./drafts";
import { type Agent, type AgentValues, asBody, formValues, isSame, type Part } from "./values";

export interface Faults {
  /** By field of the form. */
  fields: Partial<Record<keyof AgentValues, string>>;
  /** By place of the message. */
  prompt: Record<number, string>;
  imprint: Record<number, string>;
  /** What belongs to no field. */
  problem: string | null;
}

const NONE: Faults = { fields: {}, prompt: {}, imprint: {}, problem: null };

/** Saves a draft, and says where something is wrong with it. */
export function useSaving(key: string, saved: Agent | undefined) {
  const [faults, setFaults] = useState(NONE);
  const [saving, setSaving] = useState(false);
  const client = useQueryClient();
  const refresh = useRefresh();
  const inForm = { meta: { inForm: true } };
  const create = api.useMutation("post", "/api/v1/agents", inForm);
  const change = api.useMutation("put", "/api/v1/agents/{agent_id}", inForm);

  const send = ({ values, base }: Draft): Promise<Agent> => {
    const body = asBody(values);
    if (!saved) return create.mutateAsync({ body: { ...body, workspaceId: values.workspaceId } });
    const params = { path: { agent_id: saved.id } };
    // A new key, or the switch, makes a new revision too: then nothing of the form is overwritten.
    const isCurrent = isSame(base.values, formValues(saved, saved.workspaceId));
    const revision = isCurrent ? saved.revision : base.revision;
    return change.mutateAsync({ params, body: { ...body, isActive: saved.isActive, revision } });
  };
  const known = (agent: Agent) => {
    const params = { path: { agent_id: agent.id } };
    const { queryKey } = api.queryOptions("get", "/api/v1/agents/{agent_id}", { params });
    client.setQueryData(queryKey, agent);
    void refresh("agent");
  };

  /** The saved one, or null if it could not be saved. */
  const save = async (draft: Draft): Promise<Agent | null> => {
    const found = check(draft.values);
    setFaults(found);
    if (Object.keys(found.fields).length > 0) return null;
    setSaving(true);
    try {
      const result = await send(draft);
      known(result);
      settle(key, draft, saved ? result : undefined);
      notify.done(`“${result.name}” is saved.`);
      return result;
    } catch (error) {
      setFaults(faultsOf(error));
      // What others made of it is read, and the page shows that it is newer.
      if (statusOf(error) === 409) await refresh("agent");
      return null;
    } finally {
      setSaving(false);
    }
  };
  return { faults, saving, save, forget: () => setFaults(NONE) };
}

/** What was typed while it was being saved is still to be saved. */
function settle(key: string, sent: Draft, result: Agent | undefined) {
  const now = kept(key);
  if (!now || !result || isSame(now.values, sent.values)) return keep(key, null);
  const values = formValues(result, result.workspaceId);
  keep(key, { ...now, base: { revision: result.revision, values } });
}

function check({ name, stepLimit, timeoutSeconds }: AgentValues): Faults {
  const fields: Faults["fields"] = {};
  if (!name.trim()) fields.name = "A name is needed";
  if (stepLimit === "") fields.stepLimit = "A number is needed, at most 200";
  if (timeoutSeconds === "") fields.timeoutSeconds = "A number is needed, at most 86,400";
  return { ...NONE, fields };
}

/** `scope.folders.2` is about the folders, `prompt.0.content` about the first message. */
function faultsOf(error: unknown): Faults {
  const found: Faults = { fields: {}, prompt: {}, imprint: {}, problem: null };
  let everyOneHasAPlace = true;
  for (const [path, message] of Object.entries(fieldErrorsOf(error))) {
    const [first = "", place = ""] = path.replace(/^scope\./, "").split(".");
    if (isPart(first) && /^\d+$/.test(place)) found[first][Number(place)] = message;
    else if (FIELDS.has(first)) found.fields[first as keyof AgentValues] = message;
    else everyOneHasAPlace = false;
  }
  const placed = [found.fields, found.prompt, found.imprint].some((all) => Object.keys(all).length);
  return { ...found, problem: placed && everyOneHasAPlace ? null : detailOf(error) };
}

const isPart = (name: string): name is Part => name === "prompt" || name === "imprint";

const FIELDS = new Set(Object.keys(formValues({ name: "" }, "")));
