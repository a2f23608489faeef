import { Group, Text, Tooltip, VisuallyHidden } from "@mantine/core";

import { counted, dollars, savedInWords } from "../amounts";
import styles from "./Bars.module.css";
import { dayInWords, type Sum } from "./sums";

/** A bar a day: of money, or of tokens where nothing had a price. */
export function Bars({ days }: { days: Sum[] }) {
  const inMoney = days.some(({ money }) => money > 0);
  const size = (sum: Sum) => (inMoney ? sum.money : sum.tokens);
  const most = Math.max(...days.map(size), inMoney ? 0 : 1);
  return (
    <div className={styles.chart}>
      <Text size="sm" c="dimmed" mb={6}>
        {inMoney ? "Money" : "Tokens"} by day, at the most{" "}
        {inMoney ? dollars(most) : counted(most, "token")}
      </Text>
      <ol className={styles.bars} role="list" aria-label="By day">
        {days.map((sum) => (
          <Tooltip key={sum.key} label={inWords(sum)} openDelay={0}>
            <li className={styles.bar}>
              <VisuallyHidden>{inWords(sum)}</VisuallyHidden>
              <span
                className={styles.fill}
                data-empty={size(sum) === 0 || undefined}
                style={{ blockSize: `${(size(sum) / most) * 100}%` }}
              />
            </li>
          </Tooltip>
        ))}
      </ol>
      <Group justify="space-between" mt={4} aria-hidden>
        <Text size="xs" c="dimmed">
          {dayInWords(days[0]?.key ?? "")}
        </Text>
        <Text size="xs" c="dimmed">
          {dayInWords(days.at(-1)?.key ?? "")}
        </Text>
      </Group>
    </div>
  );
}

function inWords({ key, money, saved, tokens, calls }: Sum): string {
  if (calls === 0) return `${dayInWords(key)}: nothing`;
  const words = [dollars(money), counted(tokens, "token"), counted(calls, "call")];
  return `${dayInWords(key)}: ${[...words, savedInWords(saved) ?? []].flat().join(", ")}`;
}
