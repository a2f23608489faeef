import { Button } from "@mantine/core";
import { IconPlayerStop, IconPlus, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";

import { Loaded, Loading } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { Unfold } from "@/components/Unfold";
import { When } from "@/components/When";
import { Visible } from "@/features/gate/shared/Untrusted";
import { useAnswerKeys } from "@/features/gate/approvals/useAnswerKeys";
import { counted, dollars } from "@/features/llm/models/amounts";
import { useDialog } from "@/routes/useDialog";

import { ItemDialog } from "../edit/ItemDialog";
import { useCaseVerbs } from "../useCaseVerbs";
import { itemsOf, oneCase } from "../useCases";
import { toMail } from "../useSought";
import { type Case, subjectOf } from "../words";
import { DeleteButton, MailButton } from "./buttons";
import { CaseMark } from "./CaseMark";
import { Head } from "./Head";
import type { PaneProps } from "./Pane";
import styles from "./Pane.module.css";
import { Questions, Transcript } from "./Transcript";
import { useMay } from "./useMay";
import { Work } from "./Work";

/** One director's work on a mail: what it made, what it asks, and how it went about it. */
export function CaseView({ id, ...pane }: PaneProps & { id: string }) {
  const one = useQuery(oneCase(id));
  return (
    <Loaded query={one} loading={<Loading rows={2} />}>
      {(found) => <Opened one={found} {...pane} />}
    </Loaded>
  );
}

function Opened({ one, mail, onMail, onDelete }: PaneProps & { one: Case }) {
  const items = useQuery(itemsOf(one.id)).data?.items;
  const may = useMay();
  useAnswerKeys();
  return (
    <>
      <Head
        title={one.directorName}
        above={
          <TextLink
            to="/results"
            search={(before) => ({ ...before, ...toMail(one.mail.id) })}
            size="sm"
          >
            <Visible>{subjectOf(one)}</Visible>
          </TextLink>
        }
        actions={
          <>
            <MailButton shown={mail} onClick={onMail} />
            {may.edit(one) && <AddItem one={one} />}
            {may.manage(one) && (
              <>
                <WorkButton one={one} />
                <DeleteButton onClick={() => onDelete([one])} />
              </>
            )}
          </>
        }
      >
        <CaseMark state={one.state} />
        {one.steps > 0 && <span>{counted(one.steps, "step")}</span>}
        {one.money > 0 && <span>{dollars(one.money)}</span>}
        <When at={one.updatedAt} />
      </Head>
      {one.runId && one.state === "waiting" && <Questions runId={one.runId} />}
      <section className={styles.part} aria-label="Items">
        <Work one={one} items={items} />
      </section>
      {one.runId && (
        <Unfold key={one.id} label="Transcript">
          {() => one.runId && <Transcript runId={one.runId} />}
        </Unfold>
      )}
    </>
  );
}

function WorkButton({ one }: { one: Case }) {
  const { runAgain, stop, isBusy } = useCaseVerbs();
  const isLive = one.state === "working" || one.state === "waiting";
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={isLive ? <IconPlayerStop size={15} /> : <IconRefresh size={15} />}
      loading={isBusy}
      onClick={() => (isLive ? stop(one) : runAgain(one))}
    >
      {isLive ? "Stop" : "Run again"}
    </Button>
  );
}

function AddItem({ one }: { one: Case }) {
  const [opened, dialog] = useDialog("add");
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={15} />}
        onClick={dialog.open}
      >
        Add item
      </Button>
      <ItemDialog caseId={one.id} opened={opened} onClose={dialog.close} />
    </>
  );
}
