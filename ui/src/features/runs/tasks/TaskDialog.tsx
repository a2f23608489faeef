import { NativeSelect, Text, Textarea, TextInput } from "@mantine/core";

import { api, http, type Schemas } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { useFormDialog } from "@/components/useFormDialog";
import { isUntrusted } from "@/features/gate/shared/words";

import { useAgentChoices } from "./useAgentChoices";
import { TASK, TASKS, useTell } from "./useTasks";
import { LABELS, type Task } from "./words";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The task to change; without one, another is added. */
  task?: Task;
}

const formValues = (task: Task | undefined, workspaceId: string) => ({
  workspaceId: task?.workspaceId ?? workspaceId,
  title: task?.title ?? "",
  notes: task?.notes ?? "",
  due: task?.due ?? "",
  assignedTo: task?.assignedTo ?? "",
});

type Values = ReturnType<typeof formValues>;

/** Adds a task, or changes one; given to an agent, it sets to work. */
export function TaskDialog({ opened, onClose, task }: Props) {
  const workspaces = (api.useQuery("get", "/api/v1/workspaces").data?.items ?? []).filter(
    ({ role }) => role !== "read",
  );
  const ready = opened && workspaces.length > 0;
  const tell = useTell();
  const { form, dialog } = useFormDialog<Values, Schemas["TaskChangeOut"] | undefined>({
    opened: ready,
    onClose,
    initialValues: formValues(task, workspaces[0]?.id ?? ""),
    validate: { title: needed("A title") },
    affects: ["task", "run"],
    send: (values) => (task ? changed(task, values) : made(values)),
    onSaved: (done) => {
      if (done) tell(done, task ? "The task is changed." : "The task is on the list.");
    },
  });
  const { workspaceId, assignedTo } = form.values;
  const agents = useAgentChoices(workspaceId, task?.assignedTo);
  return (
    <FormDialog
      title={task ? "Change a task" : "New task"}
      verb={task ? "Save" : "Add the task"}
      size="lg"
      {...dialog}
    >
      <TextInput
        label="What is to be done"
        placeholder="Sum up the mail of this week"
        maxLength={500}
        data-autofocus
        {...form.getInputProps("title")}
      />
      <Textarea
        label="Notes"
        description="All that whoever does it needs to know"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        {...form.getInputProps("notes")}
      />
      {!task && workspaces.length > 1 && (
        <NativeSelect
          label="Workspace"
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("workspaceId")}
          onChange={(event) =>
            form.setValues({ workspaceId: event.currentTarget.value, assignedTo: "" })
          }
        />
      )}
      <TextInput label="Due" type="date" max="9999-12-31" {...form.getInputProps("due")} />
      <NativeSelect
        label="Give it to"
        description={assignedTo ? "It sets to work at once, in your name" : undefined}
        data={[{ value: "", label: "Nobody: I do it myself" }, ...agents]}
        {...form.getInputProps("assignedTo")}
      />
      {task && assignedTo && isUntrusted(task.label) && (
        <Text size="sm" c="dimmed">
          The task is {LABELS[task.label]}. So they are nobody's order: the agent has read them from
          the start, and you are asked before it changes anything.
        </Text>
      )}
    </FormDialog>
  );
}

const made = ({ due, assignedTo, ...values }: Values) =>
  http.POST(TASKS, { body: { ...values, due: due || null, assignedTo: assignedTo || null } });

/** What was changed of it; nothing where only another agent is to do it. */
async function changed(task: Task, { title, notes, due, assignedTo }: Values) {
  const params = { path: { task_id: task.id } };
  const before = formValues(task, "");
  let done: { data?: Schemas["TaskChangeOut"]; error?: unknown } = {};
  if (title !== before.title || notes !== before.notes || due !== before.due) {
    done = await http.PATCH(TASK, { params, body: { title, notes, due: due || null } });
  }
  if (done.error || assignedTo === before.assignedTo) return done;
  // Last, so that the agent is given the task as it is now.
  const { error } = await http.PATCH(TASK, { params, body: { assignedTo: assignedTo || null } });
  return { ...done, error };
}
