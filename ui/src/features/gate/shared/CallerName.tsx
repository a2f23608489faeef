import { Tooltip } from "@mantine/core";
import { IconPlugConnected, IconRobot, IconUser } from "@tabler/icons-react";

import styles from "./CallerName.module.css";
import { Untrusted } from "./Untrusted";
import { KINDS } from "./words";

const ICONS = { user: IconUser, agent: IconRobot, client: IconPlugConnected };

interface Props {
  caller: { kind: keyof typeof ICONS; name: string; version?: string };
}

/** Who asks or did something: a person, an agent of this office, or an outside program. */
export function CallerName({ caller: { kind, name, version } }: Props) {
  const Icon = ICONS[kind];
  return (
    <span className={styles.caller}>
      <Tooltip label={KINDS[kind]}>
        <Icon size={15} stroke={1.8} role="img" aria-label={KINDS[kind]} />
      </Tooltip>
      <span>
        <Untrusted most={80}>{version ? `${name} ${version}` : name}</Untrusted>
      </span>
    </span>
  );
}
