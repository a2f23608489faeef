import { TagsInput, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";

import type { Thread } from "../thread/useThread";

interface Props {
  thread: Thread;
  opened: boolean;
  onClose: () => void;
}

/** The tags of a thread, as far as they are such. */
export const tagsOf = ({ metadata: { tags } }: Thread): string[] =>
  Array.isArray(tags) ? tags.map(String) : [];

/** What a conversation is called, and by which words it is found again. */
export function NameDialog({ thread, opened, onClose }: Props) {
  const { form, dialog } = useFormDialog({
    opened,
    onClose,
    initialValues: { title: thread.title, tags: tagsOf(thread) },
    send: ({ title, tags }) =>
      http.PATCH("/api/v1/threads/{thread_id}", {
        params: { path: { thread_id: thread.id } },
        body: { title, metadata: { tags } },
      }),
    affects: ["thread"],
  });
  return (
    <FormDialog {...dialog} title="Name and tags" verb="Save">
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps("title")} />
      <TagsInput
        label="Tags"
        placeholder="Type one and press Enter"
        maxTags={20}
        {...form.getInputProps("tags")}
      />
    </FormDialog>
  );
}
