import { useQueryClient } from "@tanstack/react-query";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { recreated, type Rule } from "./ruleForm";

const RULES = "/api/v1/rules";

/** Switching, deleting and ordering rules, each with a way back. */
export function useRules() {
  const client = useQueryClient();
  const refresh = useRefresh();
  const reread = { onSettled: () => refresh("rule") };
  const change = api.useMutation("patch", "/api/v1/rules/{rule_id}", reread);
  const create = api.useMutation("post", RULES, reread);
  const remove = api.useMutation("delete", "/api/v1/rules/{rule_id}", reread);
  const order = api.useMutation("put", "/api/v1/rules/order", reread);
  const { queryKey } = api.queryOptions("get", RULES);

  /** The rows are where they were put before the server has answered. */
  const arrange = (ids: string[]) => {
    client.setQueryData<Schemas["RulesOut"]>(
      queryKey,
      (old) => old && { ...old, items: inOrder(old.items, ids) },
    );
    return order.mutateAsync({ body: { ids } });
  };
  return {
    enable: ({ id, name }: Rule, enabled: boolean) => {
      const set = (to: boolean) =>
        change.mutateAsync({ params: { path: { rule_id: id } }, body: { enabled: to } });
      const said = `“${name}” is switched ${enabled ? "on" : "off"}.`;
      notify.undoable(set(enabled), said, () => set(!enabled));
    },
    remove: (rule: Rule) => {
      const gone = remove.mutateAsync({ params: { path: { rule_id: rule.id } } });
      notify.undoable(gone, `“${rule.name}” is deleted.`, () =>
        create.mutateAsync({ body: recreated(rule) }),
      );
    },
    move: (rules: Rule[], from: number, to: number) => {
      const moved = rules[from];
      if (!moved || from === to || to < 0 || to >= rules.length) return;
      const before = rules.map(({ id }) => id);
      const after = before.toSpliced(from, 1).toSpliced(to, 0, moved.id);
      const said = `“${moved.name}” is asked as number ${to + 1} now.`;
      notify.undoable(arrange(after), said, () => arrange(before));
    },
  };
}

function inOrder(rules: Rule[], ids: string[]): Rule[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return rules.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}
