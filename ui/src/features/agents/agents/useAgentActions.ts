import { useNavigate } from "@tanstack/react-router";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { freeName } from "@/features/agents/prompts/content";
import { useRefresh } from "@/live/useRefresh";

import { type Agent, type AgentValues, asBody, formValues } from "./values";

/** What one does with an agent as a whole. Whatever goes wrong is told at the edge of the screen. */
export function useAgentActions() {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const read = () => refresh("agent");
  const onSuccess = () => void read();
  const activate = api.useMutation("post", "/api/v1/agents/{agent_id}/activate", { onSuccess });
  const create = api.useMutation("post", "/api/v1/agents", { onSuccess });
  const remove = api.useMutation("delete", "/api/v1/agents/{agent_id}", { onSuccess });
  const restore = api.useMutation("post", "/api/v1/agents/{agent_id}/restore", { onSuccess });
  const agents = api.useQuery("get", "/api/v1/agents").data?.items ?? [];

  const turn = (id: string, active: boolean) =>
    activate.mutateAsync({ params: { path: { agent_id: id }, query: { active } } });
  const open = (id: string) => navigate({ to: "/agents/$agentId", params: { agentId: id } });
  const drop = (id: string) => remove.mutateAsync({ params: { path: { agent_id: id } } });

  return {
    switchTo: ({ id, name }: Agent, to: boolean) =>
      notify.undoable(turn(id, to), `“${name}” is switched ${to ? "on" : "off"}.`, () =>
        turn(id, !to),
      ),

    /** As it stands in the form; never shared, because that is for an admin to say. */
    duplicate: (agent: Agent, values: AgentValues = formValues(agent, agent.workspaceId)) => {
      const { workspaceId } = agent;
      const taken = agents.filter((one) => one.workspaceId === workspaceId).map((one) => one.name);
      const name = freeName(values.name.trim() || agent.name, taken);
      const body = { ...asBody(values), name, shared: false, workspaceId };
      const making = create.mutateAsync({ body }).then(async (made) => {
        await open(made.id);
        return made;
      });
      notify.undoable(making, `“${name}” is a copy.`, async () => {
        await drop((await making).id);
        await open(agent.id);
      });
    },

    remove: (agent: Agent) => {
      const { id, name, isActive, credentials } = agent;
      const keys = credentials.length > 0 ? " Its keys are forgotten." : "";
      const going = navigate({ to: "/agents" }).then(() => drop(id));
      notify.undoable(going, `“${name}” is deleted.${keys}`, async () => {
        await restore.mutateAsync({ params: { path: { agent_id: id } } });
        // Brought back, it is on; it was not before.
        if (!isActive) await turn(id, false);
      });
    },
  };
}
