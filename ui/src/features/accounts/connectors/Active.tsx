import { Group, NativeSelect } from "@mantine/core";

import { api, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";
import { Section } from "@/components/Section";
import { useRefresh } from "@/live/useRefresh";

import { CATEGORIES } from "../words";

type Category = Schemas["ConnectorOut"]["categories"][number];

/** Which connector's own tools agents are offered, in each category. */
export function Active({ found: { items, active } }: { found: Schemas["ConnectorsOut"] }) {
  const refresh = useRefresh();
  const choose = api.useMutation("put", "/api/v1/connectors/active/{category}", {
    onSuccess: () => refresh("connector"),
  });
  const put = (category: Category, name: string | null) => {
    const before = active[category] ?? null;
    const set = (connector: string | null) =>
      choose.mutateAsync({ params: { path: { category } }, body: { connector } });
    const title = items.find((one) => one.name === name)?.title ?? "None";
    const said = `${CATEGORIES[category] ?? category}: ${title}.`;
    notify.undoable(set(name), said, () => set(before));
  };
  const categories = (Object.keys(active) as Category[]).filter((category) =>
    items.some((one) => one.categories.includes(category)),
  );
  return (
    <Section
      title="Whose own tools agents are offered"
      description="Tools for mail work with every account. Some connectors bring further ones of their own; one connector's are offered in each category."
    >
      <Group gap="md" align="flex-start">
        {categories.map((category) => (
          <NativeSelect
            key={category}
            miw={220}
            label={CATEGORIES[category] ?? category}
            value={active[category] ?? ""}
            onChange={(event) => put(category, event.currentTarget.value || null)}
            data={[
              { value: "", label: "None" },
              ...items
                .filter((one) => one.categories.includes(category) && one.enabled)
                .map(({ name, title }) => ({ value: name, label: title })),
            ]}
          />
        ))}
      </Group>
    </Section>
  );
}
