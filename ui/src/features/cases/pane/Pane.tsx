import type { Sought } from "../useSought";
import type { Case, Item } from "../words";
import { CaseView } from "./CaseView";
import { OnShown } from "./Head";
import { ItemView } from "./ItemView";
import { MailView } from "./MailView";
import { OriginalMail } from "./OriginalMail";
import styles from "./Pane.module.css";

export interface PaneProps {
  /** Whether the mail stands beside it. */
  mail: boolean;
  onMail: () => void;
  onDelete: (cases: Case[]) => void;
  onRemove: (item: Item) => void;
}

interface Props extends PaneProps {
  /** Its heading is there. */
  onShown: (title: HTMLElement) => void;
  sought: Sought;
  /** Of the mail that the chosen thing came of. */
  mailId: string | undefined;
}

/** What is chosen in the tree; the mail beside it, if one asks for it. */
export function Pane({ sought, mailId, onShown, ...pane }: Props) {
  const { mail, case: one, item } = sought;
  return (
    <OnShown value={onShown}>
      <div className={styles.pane} data-beside={(pane.mail && mailId) || undefined}>
        <div className={styles.main} key={item ?? one ?? mail}>
          {item && one ? (
            <ItemView caseId={one} id={item} {...pane} />
          ) : one ? (
            <CaseView id={one} {...pane} />
          ) : (
            mail && <MailView id={mail} {...pane} />
          )}
        </div>
        {pane.mail && mailId && <OriginalMail key={mailId} id={mailId} />}
      </div>
    </OnShown>
  );
}
