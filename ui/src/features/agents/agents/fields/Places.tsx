import { Checkbox, SegmentedControl, Stack, TagsInput, Text } from "@mantine/core";

import { api } from "@/api/client";
import { Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { Unfold } from "@/components/Unfold";

import styles from "../Agents.module.css";
import { fitsAny } from "../globs";
import { Coverage } from "./Coverage";
import { FileTypes } from "./FileTypes";
import { FolderNode } from "./FolderNode";
import { type Form, listProps } from "./form";

const ALL = "*";
const EVERYTHING = "**";

/** Which folders it reaches, chosen among those that are there. */
export function Places({ form }: { form: Form }) {
  const { values, faults, set } = form;
  const { notebooks, folders, workspaceId } = values;
  const open = api.useQuery("get", "/api/v1/workspaces/{workspace_id}/notebooks", {
    params: { path: { workspace_id: workspaceId } },
  });
  const isWhole = folders.includes(EVERYTHING);
  const isSeveral =
    (open.data?.items ?? []).filter(({ name }) => fitsAny(notebooks, name)).length > 1;
  const { fields } = faults;
  return (
    <Stack gap="md">
      <Checkbox
        label="All folders that are open here, also those opened later"
        checked={notebooks.includes(ALL)}
        onChange={(event) => set({ notebooks: event.currentTarget.checked ? [ALL] : [] })}
      />
      <SegmentedControl
        aria-label="How much of them"
        data={[
          { value: "whole", label: "Everything in them" },
          { value: "part", label: "Only some folders" },
        ]}
        value={isWhole ? "whole" : "part"}
        onChange={(part) => set({ folders: part === "whole" ? [EVERYTHING] : [] })}
        style={{ alignSelf: "flex-start" }}
      />
      <Loaded query={open}>
        {({ items }) =>
          items.length > 0 ? (
            <ul className={styles.tree} role="list" aria-label="Folders">
              {items.map(({ id, name }) => (
                <FolderNode key={id} form={form} path={[name]} isWhole={isWhole} />
              ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              No folder is open in this workspace.{" "}
              <TextLink to="/settings/folders" underline="always">
                Open one in Settings
              </TextLink>
            </Text>
          )
        }
      </Loaded>
      {!isWhole && isSeveral && (
        <Text size="sm" c="dimmed">
          A folder’s name counts in every place that is ticked: Letters is Letters in each of them.
        </Text>
      )}
      <FileTypes form={form} />
      <Coverage form={form} />
      <Unfold
        look="fields"
        label="Places as patterns"
        isFaulty={Boolean(
          fields.notebooks ?? fields.folders ?? fields.fileTypes ?? fields.accounts,
        )}
      >
        <TagsInput
          label="Folders that are open to agents"
          description="By name, as under Settings, Folders; * for all of them"
          {...listProps(form, "notebooks")}
        />
        <TagsInput
          label="Folders within them"
          description="Papers is the folder and all beneath it, Papers/* what lies directly in it; ** for all"
          {...listProps(form, "folders")}
        />
        <TagsInput
          label="Kinds of files"
          description="Such as *.md; * for all"
          {...listProps(form, "fileTypes")}
        />
        <TagsInput
          label="Accounts"
          description="By the name that you gave them; * for all"
          {...listProps(form, "accounts")}
        />
      </Unfold>
    </Stack>
  );
}
