import { Paper, Title } from "@mantine/core";

import { api } from "@/api/client";
import { useTools } from "@/features/gate/shared/useTools";

import styles from "./Agents.module.css";
import type { AgentValues } from "./values";
import { inWords, isOpen, limitsInWords, mayNotInWords, scopeInWords, type Tool } from "./words";

/** What the form comes to, in sentences, as it stands now. */
export function Summary({ values }: { values: AgentValues }) {
  const { tools } = useTools(values.workspaceId);
  const models = api.useQuery("get", "/api/v1/models").data?.items ?? [];
  const agents = api.useQuery("get", "/api/v1/agents").data?.items ?? [];
  const model = models.find(({ id, isDefault }) =>
    values.modelId ? id === values.modelId : isDefault,
  );
  const colleagues = agents.filter(({ id }) => values.colleagues.includes(id));
  const not = mayNotInWords(values.flags);
  const sentences = [
    `It ${scopeInWords(values)}.`,
    not && `It can never ${not}, whatever it is told and whoever allows it.`,
    tools && toolsInWords(tools, values),
    asksInWords(values),
    colleagues.length > 0 && `It may ask ${inWords(colleagues.map(({ name }) => name))}.`,
    model && `It thinks with ${model.name}${model.label ? `: ${lower(model.label)}` : ""}.`,
    `It stops at ${inWords(limitsInWords(values))}.`,
    values.shared
      ? "Everyone in the workspace may use it, each with their own rights."
      : "Only its owner uses it, and admins of the workspace.",
  ];
  return (
    <Paper withBorder radius="md" p="md" component="section" aria-labelledby="what-it-may-do">
      <Title order={2} id="what-it-may-do" mb="xs">
        In short
      </Title>
      <ul className={styles.summary}>
        {sentences.filter(Boolean).map((sentence) => (
          <li key={String(sentence)}>{sentence}</li>
        ))}
      </ul>
    </Paper>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function toolsInWords(tools: Tool[], values: AgentValues): string {
  const open = tools.filter((tool) => isOpen(tool, values));
  const changing = open.filter(({ effect }) => effect !== "read").length;
  if (open.length === 0) return "No tool is open to it.";
  return `${open.length} of ${tools.length} tools are open to it, ${changing || "none"} of them for changes.`;
}

function asksInWords({ askWrites, askTools }: AgentValues): string {
  if (askWrites) return "A person is asked before every change.";
  if (askTools.length > 0) {
    return `A person is asked before ${inWords(askTools)}; for the rest, the rules decide.`;
  }
  return "The rules of the office decide when a person is asked.";
}
