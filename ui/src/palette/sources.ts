import { useAccountCommands } from "@/features/accounts/commands";
import { useAgentCommands } from "@/features/agents/commands";
import { usePromptCommands } from "@/features/agents/prompts/commands";
import { useCaseCommands } from "@/features/cases/commands";
import { useChatCommands } from "@/features/chat/commands";
import { useGateCommands } from "@/features/gate/commands";
import { useIdentityCommands } from "@/features/identity/commands";
import { useInboxCommands } from "@/features/inbox/commands";
import { useModelCommands } from "@/features/llm/models/commands";
import { useMailCommands } from "@/features/mail/commands";
import { useContactCommands } from "@/features/mail/contacts/commands";
import { useMemoryCommands } from "@/features/memory/commands";
import { useNotifyCommands } from "@/features/notify/commands";
import { useOperationsCommands } from "@/features/operations/commands";
import { useRunCommands } from "@/features/runs/list/commands";
import { useTaskCommands } from "@/features/runs/tasks/commands";
import { useWorkspaceCommands } from "@/features/workspaces/commands";

import type { Offer, Source } from "./command";
import { useAppearanceCommands } from "./useAppearanceCommands";
import { useFoundCommands } from "./useFoundCommands";
import { usePageCommands } from "./usePageCommands";

/** Everything the palette knows. A feature adds its line; the order is the order shown. */
const SOURCES: Source[] = [
  usePageCommands,
  useGateCommands,
  useMailCommands,
  useFoundCommands,
  useCaseCommands,
  useInboxCommands,
  useChatCommands,
  useAgentCommands,
  useRunCommands,
  useTaskCommands,
  usePromptCommands,
  useMemoryCommands,
  useAccountCommands,
  useContactCommands,
  useModelCommands,
  useWorkspaceCommands,
  useNotifyCommands,
  useIdentityCommands,
  useOperationsCommands,
  useAppearanceCommands,
];

export function useCommands(text: string): Required<Offer> {
  // The table never changes while the app runs, so the hooks are called in the same order.
  // eslint-disable-next-line react-hooks/rules-of-hooks
  const offers = SOURCES.map((useSource) => useSource(text));
  return {
    commands: offers.flatMap(({ commands }) => commands),
    pending: offers.some(({ pending }) => pending),
  };
}
