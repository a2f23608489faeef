import { UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";

import styles from "./Timeline.module.css";

interface Props {
  label: ReactNode;
  /** Beside the label; not part of the button. */
  beside?: ReactNode;
  children: () => ReactNode;
}

/** More about something, behind a button. It is made only once it is asked for: there may be much. */
export function Unfold({ label, beside, children }: Props) {
  const [opened, { toggle }] = useDisclosure();
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <>
      <div className={styles.line}>
        <UnstyledButton className={styles.unfold} aria-expanded={opened} onClick={toggle}>
          <Chevron size={16} stroke={1.8} aria-hidden />
          <span>{label}</span>
        </UnstyledButton>
        {beside}
      </div>
      {opened && <div className={styles.unfolded}>{children()}</div>}
    </>
  );
}
