import { Button, Group, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { FormDialog } from "@/components/FormDialog";
import { notify } from "@/components/notify";
import { ShownOnce } from "@/components/ShownOnce";
import { useConfirm } from "@/components/useConfirm";

/** What opens above a page. */
export function Dialogs() {
  const [filling, form] = useDisclosure();
  const [showing, secret] = useDisclosure();
  const { ask, dialog } = useConfirm();
  const question = {
    title: "Delete “Heron”?",
    body: "It cannot be brought back.",
    verb: "Delete it",
    run: () => Promise.reject(new TypeError()),
  };
  return (
    <Group>
      <Button variant="default" onClick={form.open}>
        FormDialog
      </Button>
      <Button variant="default" onClick={() => ask(question)}>
        useConfirm
      </Button>
      <Button variant="default" onClick={secret.open}>
        ShownOnce
      </Button>
      <FormDialog
        title="New thing"
        verb="Make it"
        opened={filling}
        pending={false}
        problem="That name is taken."
        onSubmit={(event) => event.preventDefault()}
        onClose={form.close}
      >
        <TextInput label="Name" description="What it is for" error="Choose another" />
      </FormDialog>
      <ShownOnce
        title="Token"
        label="Token"
        value={showing ? "bwt_…" : null}
        onClose={secret.close}
      >
        Copy it now.
      </ShownOnce>
      {dialog}
    </Group>
  );
}

/** What appears at the edge. */
export function Notices() {
  const undo = () => Promise.resolve(notify.done("Undone."));
  return (
    <Group>
      <Button variant="default" onClick={() => notify.done("It is saved.")}>
        done
      </Button>
      <Button
        variant="default"
        onClick={() => notify.undoable(Promise.resolve(), "Sam is taken out.", undo)}
      >
        undoable
      </Button>
      <Button variant="default" onClick={() => notify.failed("The server did not answer.")}>
        failed
      </Button>
    </Group>
  );
}
