import {
  Button,
  FileButton,
  Group,
  NativeSelect,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "@/api/client";
import { useOnOpening, useProblemForm } from "@/api/forms";
import { statusOf } from "@/api/problem";
import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";
import type { Schemas } from "@/api/client";

import { oneItem } from "../useCases";
import { isText, type Item, titleOf } from "../words";
import { Conflict } from "./Conflict";
import { base64Of, LARGEST } from "./file";

type Values = Pick<Item, "label" | "description" | "encoding" | "tags"> & {
  mimeType: string;
  data: string;
};

const KINDS = [
  { value: "text/markdown", label: "Text with Markdown" },
  { value: "text/plain", label: "Plain text" },
  { value: "text/html", label: "Page (HTML)" },
  { value: "application/json", label: "Data (JSON)" },
  { value: "text/csv", label: "Table (CSV)" },
];

interface Props {
  caseId: string;
  /** The one that is changed; without it, a new one is made. */
  item?: Item;
  opened: boolean;
  onClose: () => void;
}

/** Makes an item by hand, or changes one. If someone else changed it meanwhile, both are shown. */
export function ItemDialog({ caseId, item, opened, onClose }: Props) {
  const client = useQueryClient();
  const refresh = useRefresh();
  const [base, setBase] = useState(item);
  const [theirs, setTheirs] = useState<Item | null>(null);
  const { form, problem, fail } = useProblemForm<Values>({ initialValues: valuesOf(item) }, opened);
  useOnOpening(opened, () => {
    setBase(item);
    setTheirs(null);
  });
  const saved = (done: Schemas["ItemChangeOut"]) => {
    onClose();
    if (done.status === "pending") notify.done(`It waits for an answer. ${done.reason ?? ""}`);
  };
  const options = {
    meta: { inForm: true },
    onSettled: () => refresh("item", "case"),
    onSuccess: saved,
  };
  const adding = api.useMutation("post", "/api/v1/cases/{case_id}/items", options);
  const changing = api.useMutation("put", "/api/v1/cases/{case_id}/items/{item_id}", options);

  const save = async (values: Values, over = base) => {
    try {
      if (!over) {
        await adding.mutateAsync({ params: { path: { case_id: caseId } }, body: values });
        return;
      }
      await changing.mutateAsync({
        params: { path: { case_id: caseId, item_id: over.id } },
        body: { ...changedOf(values, item), expectedRevision: over.revision },
      });
    } catch (error) {
      if (over && statusOf(error) === 409) {
        const fresh = await client.query({ ...oneItem(caseId, over.id), staleTime: 0 });
        if (fresh.revision !== over.revision) return setTheirs(fresh);
      }
      fail(error);
    }
  };
  const title = item ? `Edit “${titleOf(item).slice(0, 60)}”` : "New item";
  return (
    <FormDialog
      title={title}
      verb={item ? "Save" : "Add"}
      size={theirs ? "xl" : "lg"}
      opened={opened}
      onClose={onClose}
      pending={adding.isPending || changing.isPending}
      problem={problem}
      onSubmit={form.onSubmit((values) => void save(values))}
    >
      {theirs && (
        <Conflict
          theirs={theirs}
          mine={form.values.data}
          onTheirs={onClose}
          onMine={() => void save(form.values, theirs)}
          onEdit={() => {
            setBase(theirs);
            setTheirs(null);
          }}
        />
      )}
      {!theirs && <Fields form={form} item={item} />}
    </FormDialog>
  );
}

const valuesOf = (item: Item | undefined): Values => ({
  label: item?.label ?? "",
  description: item?.description ?? "",
  mimeType: item ? (item.mimeType ?? "text/plain") : "text/markdown",
  encoding: item?.encoding ?? "utf8",
  tags: item?.tags ?? [],
  data: item?.data ?? "",
});

/** Only what was changed: what is left out stays. */
function changedOf(values: Values, item: Item | undefined): Partial<Values> {
  const before = valuesOf(item);
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Values]),
  );
  return changed.length > 0 ? Object.fromEntries(changed) : { label: values.label };
}

interface FieldsProps {
  form: ReturnType<typeof useProblemForm<Values>>["form"];
  item: Item | undefined;
}

function Fields({ form, item }: FieldsProps) {
  const [file, setFile] = useState<string | null>(null);
  const { mimeType } = form.values;
  const kinds = KINDS.some(({ value }) => value === mimeType)
    ? KINDS
    : [...KINDS, { value: mimeType, label: mimeType }];
  const take = async (chosen: File | null) => {
    if (!chosen) return;
    if (chosen.size > LARGEST) {
      return form.setFieldError("data", "A file may have at most 6 MB");
    }
    const data = await base64Of(chosen);
    setFile(chosen.name);
    form.setValues({
      data,
      encoding: "base64",
      mimeType: chosen.type || "application/octet-stream",
      label: form.values.label || chosen.name.slice(0, 200),
    });
  };
  return (
    <>
      <TextInput label="Name" maxLength={200} autoComplete="off" {...form.getInputProps("label")} />
      {isText(form.values) ? (
        <>
          <NativeSelect label="What it is" data={kinds} {...form.getInputProps("mimeType")} />
          <Textarea
            label="Content"
            autosize
            minRows={8}
            maxRows={22}
            data-autofocus={item ? true : undefined}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            {...form.getInputProps("data")}
          />
        </>
      ) : (
        <Text size="sm">
          {file ? `The file ${file}` : "A file"}, {mimeType}
        </Text>
      )}
      <Group gap="xs">
        <FileButton onChange={(chosen) => void take(chosen)}>
          {(props) => (
            <Button
              {...props}
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconUpload size={15} />}
            >
              {isText(form.values) ? "Take a file instead" : "Take another file"}
            </Button>
          )}
        </FileButton>
      </Group>
      <TextInput
        label="Description"
        maxLength={2000}
        autoComplete="off"
        {...form.getInputProps("description")}
      />
      <TagsInput label="Tags" maxTags={20} acceptValueOnBlur {...form.getInputProps("tags")} />
    </>
  );
}
