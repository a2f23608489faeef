import { Button, Collapse, Group, Stack, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";

import styles from "./Unfold.module.css";

interface Props {
  label: ReactNode;
  /** Beside the label; not part of the button. */
  beside?: ReactNode;
  /**
   * What is folded: fields of a form, which are there all the time; or more about something, which is made only once
   * it is asked for, because there may be much of it: beneath the label, in line with it, or in a box with it.
   */
  look?: "fields" | "beneath" | "inline" | "box";
  /** Whether it is open; or, where nobody listens, whether it is at first. */
  opened?: boolean;
  onToggle?: () => void;
  /** Something in it is wrong: it cannot be folded away, and stays open when it is right again. */
  isFaulty?: boolean;
  children: ReactNode | (() => ReactNode);
}

/** What few people need, behind a button that says what it is. */
export function Unfold(props: Props) {
  const { label, beside, look = "beneath", isFaulty = false, onToggle, children } = props;
  const [kept, setKept] = useState(props.opened ?? false);
  if (isFaulty && !kept) setKept(true);
  const opened = onToggle ? (props.opened ?? false) : kept || isFaulty;
  const toggle = onToggle ?? (() => setKept(!opened));
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const content = () => (typeof children === "function" ? children() : children);
  if (look === "fields") {
    return (
      <div>
        <Group gap="xs" justify="space-between">
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Chevron size={16} />}
            aria-expanded={opened}
            onClick={toggle}
          >
            {label}
          </Button>
          {beside}
        </Group>
        <Collapse expanded={opened}>
          <Stack gap="md" pt="sm">
            {content()}
          </Stack>
        </Collapse>
      </div>
    );
  }
  return (
    <div className={styles[look]}>
      <div className={styles.head}>
        <UnstyledButton className={styles.button} aria-expanded={opened} onClick={toggle}>
          <Chevron size={16} stroke={1.8} aria-hidden />
          <span>{label}</span>
        </UnstyledButton>
        {beside}
      </div>
      {opened && <div className={styles.inside}>{content()}</div>}
    </div>
  );
}
