import type { Block } from "@/features/agents/prompts/content";

import type { AgentValues, Part } from "../values";
import type { Faults } from "../useSaving";

/** What every part of the form is given. */
export interface Form {
  values: AgentValues;
  faults: Faults;
  set: (values: Partial<AgentValues>) => void;
  setBlocks: (part: Part) => (change: (blocks: Block[]) => Block[]) => void;
}

type ListField = "notebooks" | "folders" | "fileTypes" | "accounts" | "tools" | "askTools";

/** What a field that holds a list of names needs. */
export const listProps = ({ values, faults, set }: Form, name: ListField) => ({
  value: values[name],
  error: faults.fields[name],
  maxTags: 100,
  onChange: (value: string[]) => set({ [name]: value }),
});
