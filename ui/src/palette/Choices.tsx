import { useEffect } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import type { Command } from "./command";
import styles from "./Palette.module.css";

interface Props {
  id: string;
  groups: [group: string, commands: Command[]][];
  current: Command | undefined;
  onChoose: (command: Command) => void;
}

/** What can be chosen. The focus stays in the field, which names the current one. */
export function Choices({ id, groups, current, onChoose }: Props) {
  const active = current && `${id}-${current.id}`;
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div role="listbox" id={`${id}-list`} aria-label="Matches" className={styles.list}>
      {groups.map(([group, commands]) => (
        <div key={group} role="group" aria-labelledby={`${id}-group-${group}`}>
          <div id={`${id}-group-${group}`} className={styles.group} role="presentation">
            {group}
          </div>
          {commands.map((command) => (
            // The field has the focus all the time, and its keys choose among these.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={command.id}
              id={`${id}-${command.id}`}
              role="option"
              aria-selected={command === current}
              className={styles.choice}
              // Not on mousedown: the field keeps the focus until the choice is made.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(command)}
            >
              <command.icon size={18} stroke={1.6} />
              <span className={styles.label}>
                <Visible>{command.label}</Visible>
                {command.snippet && command.snippet.length > 0 && (
                  <span className={styles.snippet} dir="auto">
                    {command.snippet.map(({ text, found }, at) =>
                      found ? (
                        <mark key={at}>
                          <Visible>{text}</Visible>
                        </mark>
                      ) : (
                        <Visible key={at}>{text}</Visible>
                      ),
                    )}
                  </span>
                )}
              </span>
              {command.detail && <span className={styles.detail}>{command.detail}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
