import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { memo, useMemo } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import styles from "./Markdown.module.css";

const MOST = 20_000;

/** A block of code: in colours once what knows them is there, and to be copied. */
export const Code = memo(function Code({ text, language }: { text: string; language: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  const wants = language !== "" && text.length <= MOST;
  const { data: known } = useQuery({
    queryKey: ["highlight"],
    queryFn: () => import("./highlight"),
    enabled: wants,
    staleTime: Infinity,
  });
  const pieces = useMemo(
    () => (known && wants ? known.highlighted(text, language) : [{ text, kind: "" }]),
    [known, wants, text, language],
  );
  return (
    <div className={styles.block}>
      <pre className={styles.code} tabIndex={0} role="region" aria-label="Code">
        {pieces.map((piece, place) => (
          <span key={place} data-code={piece.kind || undefined}>
            <Visible>{piece.text}</Visible>
          </span>
        ))}
      </pre>
      <Tooltip label={copied ? "Copied" : "Copy the code"}>
        <ActionIcon
          className={styles.copy}
          size="sm"
          variant="default"
          aria-label={copied ? "Copied" : "Copy the code"}
          onClick={() => copy(text)}
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
});
