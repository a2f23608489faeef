import { NativeSelect, Text, Textarea, TextInput } from "@mantine/core";

import { api } from "@/api/client";
import { needed, useProblemForm } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { isUntrusted } from "@/features/gate/shared/words";
import { useRefresh } from "@/live/useRefresh";

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
  const { form, problem, fail } = useProblemForm<Values>(
    {
      initialValues: formValues(task, workspaces[0]?.id ?? ""),
      validate: { title: needed("A title") },
    },
    ready,
  );
  const { save, isSaving } = useSaving(task, onClose, fail);
  const { workspaceId, assignedTo } = form.values;
  const agents = useAgentChoices(workspaceId, task?.assignedTo);
  return (
    <FormDialog
      title={task ? "Change a task" : "New task"}
      verb={task ? "Save" : "Add the task"}
      size="lg"
      opened={ready}
      onClose={onClose}
      pending={isSaving}
      problem={problem}
      onSubmit={form.onSubmit(save)}
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

function useSaving(task: Task | undefined, onClose: () => void, fail: (error: unknown) => void) {
  const refresh = useRefresh();
  const tell = useTell();
  const options = { meta: { inForm: true } };
  const add = api.useMutation("post", TASKS, options);
  const change = api.useMutation("patch", TASK, options);
  const changed = async (known: Task, values: Values) => {
    const params = { path: { task_id: known.id } };
    const { title, notes, due, assignedTo } = values;
    const before = formValues(known, "");
    let done = null;
    if (title !== before.title || notes !== before.notes || due !== before.due) {
      done = await change.mutateAsync({ params, body: { title, notes, due: due || null } });
    }
    // Last, so that the agent is given the task as it is now.
    if (assignedTo !== before.assignedTo) {
      await change.mutateAsync({ params, body: { assignedTo: assignedTo || null } });
    }
    return done;
  };
  const made = ({ due, assignedTo, ...values }: Values) =>
    add.mutateAsync({ body: { ...values, due: due || null, assignedTo: assignedTo || null } });
  const save = (values: Values) =>
    void (task ? changed(task, values) : made(values))
      .then((done) => {
        onClose();
        if (done) tell(done, task ? "The task is changed." : "The task is on the list.");
      })
      .catch(fail)
      .finally(() => void refresh("task", "run"));
  return { save, isSaving: add.isPending || change.isPending };
}
