import { NativeSelect, TagsInput, Text, Textarea } from "@mantine/core";

import { http } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";
import { isUntrusted } from "@/features/gate/shared/words";

import { MEMORIES, MEMORY, useTell } from "./useMemories";
import { FOR_WHOM, LABELS, type Memory } from "./words";

interface Props {
  opened: boolean;
  onClose: () => void;
  workspaceId: string;
  /** Tags that one may choose from. */
  tags: string[];
  /** The memory to change; without one, another is added. */
  memory?: Memory;
}

const formValues = (memory?: Memory) => ({
  content: memory?.content ?? "",
  tags: memory?.tags ?? [],
  reach: memory?.reach ?? "local",
});

/** Remembers something, or changes what is remembered. */
export function MemoryDialog({ opened, onClose, workspaceId, tags, memory }: Props) {
  const tell = useTell();
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: formValues(memory),
    validate: { content: needed("A text") },
    affects: ["memory"],
    send: ({ reach, ...said }) =>
      memory
        ? http.PATCH(MEMORY, { params: { path: { memory_id: memory.id } }, body: said })
        : http.POST(MEMORIES, { params: { query: { workspaceId } }, body: { ...said, reach } }),
    onSaved: (done) => tell(done, memory ? "It is changed." : "It is remembered."),
  });
  return (
    <FormDialog
      title={memory ? "Change a memory" : "Remember something"}
      verb={memory ? "Save" : "Remember it"}
      size="lg"
      {...dialog}
    >
      <Textarea
        label="What to remember"
        placeholder="Olive likes tea, never coffee"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        data-autofocus
        {...form.getInputProps("content")}
      />
      {memory && isUntrusted(memory.label) && (
        <Text size="sm" c="dimmed">
          This is {LABELS[memory.label]}, and counts as such however you change it. To make it your
          own, remember it anew and forget this one.
        </Text>
      )}
      <TagsInput
        label="Tags"
        description="Words to find it by; Enter adds one"
        data={tags}
        maxTags={20}
        maxLength={50}
        {...form.getInputProps("tags")}
      />
      {!memory && (
        <NativeSelect label="Who finds it" data={FOR_WHOM} {...form.getInputProps("reach")} />
      )}
    </FormDialog>
  );
}
