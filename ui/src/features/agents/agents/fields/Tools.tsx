import { SegmentedControl, Stack, TagsInput, Text } from "@mantine/core";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { Unfold } from "@/components/Unfold";

import { fitsTool } from "../globs";
import { inWords, missing, type Tool } from "../words";
import { type Form, listProps } from "./form";
import { ToolGroup } from "./ToolGroup";

const ALL = "*";
const MOST = 100;

const GROUPS: { title: string; effects: Tool["effect"][] }[] = [
  { title: "Reading", effects: ["read"] },
  { title: "Making new things", effects: ["create"] },
  { title: "Changing", effects: ["edit", "move", "label", "complete"] },
  { title: "Reaching out", effects: ["send", "share", "invite", "fetch"] },
  { title: "Deleting", effects: ["delete"] },
  { title: "Running code", effects: ["execute"] },
];

/** Which tools it may use, among those that are there. */
export function Tools({ form }: { form: Form }) {
  const { values, faults, set } = form;
  const tools = api.useQuery(
    "get",
    "/api/v1/workspaces/{workspace_id}/tools",
    { params: { path: { workspace_id: values.workspaceId } } },
    { staleTime: 300_000 },
  );
  const known = tools.data?.items ?? [];
  const isAll = values.tools.includes(ALL);
  const usable = known.filter((tool) => missing(tool, values.flags).length === 0);
  const choose = (how: string) =>
    set({ tools: how === "all" ? [ALL] : usable.map(({ name }) => name).slice(0, MOST) });
  const absent = values.tools.filter((one) => !known.some(({ name }) => fitsTool([one], name)));
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Which tools"
        data={[
          { value: "all", label: "All, also those to come" },
          { value: "some", label: "Only these" },
        ]}
        value={isAll ? "all" : "some"}
        onChange={choose}
        style={{ alignSelf: "flex-start" }}
      />
      {!isAll && (
        <Loaded query={tools}>
          {({ items }) =>
            grouped(items).map((group) => <ToolGroup key={group.title} form={form} {...group} />)
          }
        </Loaded>
      )}
      {!isAll && tools.data && absent.length > 0 && (
        <Text size="sm" c="dimmed">
          Also chosen, though no tool here is called so yet: {inWords(absent)}.
        </Text>
      )}
      <TagsInput
        label="Tools that always ask a person"
        description="By name, or with a star, such as create_*"
        data={known.filter(({ effect }) => effect !== "read").map(({ name }) => name)}
        {...listProps(form, "askTools")}
      />
      <Unfold look="fields" label="Tools as patterns" isFaulty={Boolean(faults.fields.tools)}>
        <TagsInput
          label="Tools"
          description="By name, or with a star, such as list_*; * for all, also those to come"
          data={known.map(({ name }) => name)}
          {...listProps(form, "tools")}
        />
      </Unfold>
    </Stack>
  );
}

/** By connector and by what they do. */
function grouped(tools: Tool[]) {
  const connectors = [...new Set(tools.map(({ connector }) => connector))];
  const several = connectors.length > 1;
  return connectors.flatMap((connector) =>
    GROUPS.map(({ title, effects }) => ({
      title: several ? `${connector}: ${title.toLowerCase()}` : title,
      tools: tools.filter((one) => one.connector === connector && effects.includes(one.effect)),
    })).filter((group) => group.tools.length > 0),
  );
}
