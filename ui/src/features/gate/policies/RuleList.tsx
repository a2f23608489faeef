import { SortableRows } from "@/components/SortableRows";

import type { Rule } from "./ruleForm";
import { RuleRow } from "./RuleRow";
import type { Bounds } from "./useBounds";
import { useRules } from "./useRules";

/** The rules in the order in which they are asked; an admin of the office moves them. */
export function RuleList({ rules, bounds }: { rules: Rule[]; bounds: Bounds }) {
  const { enable, move, remove } = useRules();
  return (
    <SortableRows
      label="Rules"
      noun="rule"
      items={rules}
      onMove={(from, to) => move(rules, from, to)}
    >
      {rules.map((rule, place) => (
        <RuleRow
          key={rule.id}
          rule={rule}
          place={place}
          bounds={bounds.of(rule)}
          mayChange={bounds.mayChange(rule)}
          mayMove={bounds.mayOrder && rules.length > 1}
          isLast={place === rules.length - 1}
          onEnable={(enabled) => enable(rule, enabled)}
          onMove={(to) => move(rules, place, to)}
          onRemove={() => remove(rule)}
        />
      ))}
    </SortableRows>
  );
}
