import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { Empty, Loaded, Loading } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted, Visible } from "@/features/gate/shared/Untrusted";

import { casesOfMail, useItems } from "../useCases";
import { toCase } from "../useSought";
import { type Case, senderOf, subjectOf } from "../words";
import { CaseMark } from "./CaseMark";
import { DeleteButton, MailButton } from "./buttons";
import { Head } from "./Head";
import styles from "./Pane.module.css";
import { useMay } from "./useMay";
import type { PaneProps } from "./Pane";
import { Work } from "./Work";

/** All that came of a mail, whoever made it. */
export function MailView({ id, ...pane }: PaneProps & { id: string }) {
  const cases = useQuery(casesOfMail(id));
  return (
    <Loaded query={cases} loading={<Loading rows={2} />}>
      {({ items: found }) => <Opened cases={found} {...pane} />}
    </Loaded>
  );
}

function Opened({ cases, mail, onMail, onDelete }: PaneProps & { cases: Case[] }) {
  const items = useItems(cases.map(({ id }) => id));
  const may = useMay();
  const [first] = cases;
  if (!first) {
    return <Empty title="Nothing came of this mail">What there was has been deleted.</Empty>;
  }
  return (
    <>
      <Head
        title={<Untrusted most={300}>{subjectOf(first)}</Untrusted>}
        actions={
          <>
            <MailButton shown={mail} onClick={onMail} />
            {cases.every(may.manage) && <DeleteButton onClick={() => onDelete(cases)} />}
          </>
        }
      >
        <span>
          From <Visible>{senderOf(first)}</Visible>, <When at={first.mail.receivedAt} />
        </span>
      </Head>
      {cases.map((one) => (
        <section key={one.id} className={styles.part} aria-label={one.directorName}>
          <div className={styles.partHead}>
            <Title order={3} fz="md">
              <TextLink
                to="/results"
                search={(before) => ({ ...before, ...toCase(one.id) })}
                inherit
              >
                {one.directorName}
              </TextLink>
            </Title>
            <CaseMark state={one.state} />
          </div>
          <Work one={one} items={items.get(one.id)} />
        </section>
      ))}
    </>
  );
}
