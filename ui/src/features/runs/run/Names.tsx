import { Anchor } from "@mantine/core";
import { useState } from "react";

import sources from "@/features/gate/shared/Sources.module.css";
import { Untrusted } from "@/features/gate/shared/Untrusted";

const FEW = 5;

/** Names one under the other, the first few at once. */
export function Names({ label, names }: { label: string; names: string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? names : names.slice(0, FEW);
  return (
    <ul className={sources.list} role="list" aria-label={label}>
      {shown.map((name) => (
        <li key={name}>
          <Untrusted most={200}>{name}</Untrusted>
        </li>
      ))}
      {shown.length < names.length && (
        <li>
          <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
            and {names.length - shown.length} more
          </Anchor>
        </li>
      )}
    </ul>
  );
}
