import { ActionIcon, Button } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";

import styles from "./Halt.module.css";
import { HaltDialog } from "./HaltDialog";
import { useHalt, useStopDialog } from "./useHalt";

/** The panic button: one more click, and no agent does anything. */
export function HaltButton() {
  const halt = useHalt();
  const [asking, { open, close }] = useStopDialog();
  return (
    <>
      {!halt?.stopped && (
        <>
          <Button
            variant="default"
            size="compact-md"
            className={styles.stop}
            leftSection={<IconHandStop size={16} stroke={1.8} />}
            visibleFrom="sm"
            onClick={open}
          >
            Stop everything
          </Button>
          <ActionIcon
            variant="default"
            size="lg"
            className={styles.stop}
            hiddenFrom="sm"
            onClick={open}
            aria-label="Stop everything"
          >
            <IconHandStop size={18} stroke={1.8} />
          </ActionIcon>
        </>
      )}
      <HaltDialog opened={asking && !halt?.stopped} onClose={close} />
    </>
  );
}
