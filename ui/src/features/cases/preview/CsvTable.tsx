import { Anchor, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useMemo, useState } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import { sorted, tableOf } from "./csv";
import styles from "./Preview.module.css";

const FEW = 200;

/** A table that can be sorted by each of its columns. */
export function CsvTable({ text }: { text: string }) {
  const table = useMemo(() => tableOf(text), [text]);
  const [by, setBy] = useState<{ column: number; down: boolean } | null>(null);
  const [most, setMost] = useState(FEW);
  const rows = by ? sorted(table.rows, by.column, by.down) : table.rows;
  const turn = (column: number) =>
    setBy(
      by?.column === column ? (by.down ? null : { column, down: true }) : { column, down: false },
    );
  return (
    <div>
      <div className={styles.table} role="region" aria-label="Table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {table.head.map((name, column) => {
                const isBy = by?.column === column;
                const Arrow = by?.down ? IconArrowDown : IconArrowUp;
                return (
                  <th
                    key={column}
                    scope="col"
                    aria-sort={isBy ? (by.down ? "descending" : "ascending") : "none"}
                  >
                    <button type="button" onClick={() => turn(column)}>
                      <Visible>{name || `Column ${column + 1}`}</Visible>
                      {isBy && <Arrow size={13} aria-hidden />}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row, index) => (
              <tr key={index}>
                {table.head.map((_, column) => (
                  <td key={column} data-number={isNumber(row[column]) || undefined}>
                    <Visible>{row[column] ?? ""}</Visible>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {table.rows.length.toLocaleString("en")} rows.{" "}
        {rows.length > most && (
          <Anchor component="button" type="button" size="xs" onClick={() => setMost(most + 1000)}>
            Show more
          </Anchor>
        )}
      </Text>
    </div>
  );
}

const isNumber = (text = "") => text.trim() !== "" && !Number.isNaN(Number(text));
