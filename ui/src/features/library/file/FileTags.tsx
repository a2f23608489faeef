import { Autocomplete, Button, CloseButton, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTag } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";

import { api } from "@/api/client";
import { Visible } from "@/features/gate/shared/Untrusted";

import { FILES, type FileText, type Go } from "../browser/browsed";
import styles from "./File.module.css";
import { IGNORED, useFileVerbs } from "./useFileVerbs";
import { writtenTags } from "./words";

interface Props {
  workspace: string;
  path: string;
  /** What stands at the file's top: tags that are written there stay for as long as they are. */
  properties: FileText["properties"];
  mayWrite: boolean;
  go: Go;
}

/** The tags of a file, each a way to the others that have it. */
export function FileTags({ workspace, path, properties, mayWrite, go }: Props) {
  const details = api.useQuery("get", `${FILES}/details`, {
    params: { path: { workspace_id: workspace }, query: { path } },
  });
  const verbs = useFileVerbs(workspace);
  const tags = details.data?.tags;
  const written = writtenTags(properties);
  if (!tags || (tags.length === 0 && !mayWrite)) return null;
  return (
    <div className={styles.tags} role="group" aria-label="Tags">
      {tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          <button
            type="button"
            title={`Files with the tag ${tag}${written.has(tag) ? "; it stands in the file's properties" : ""}`}
            onClick={() => go({ tag, untagged: undefined })}
          >
            <Visible>{tag}</Visible>
          </button>
          {mayWrite && !written.has(tag) && (
            <CloseButton
              size={16}
              iconSize={12}
              aria-label={`Take the tag ${tag} away`}
              disabled={verbs.isBusy}
              onClick={() => void verbs.tag(path, [tag], true).catch(IGNORED)}
            />
          )}
        </span>
      ))}
      {mayWrite && (
        <AddTag
          workspace={workspace}
          has={tags}
          add={(tag) => verbs.tag(path, [tag])}
          isBusy={verbs.isBusy}
        />
      )}
    </div>
  );
}

interface AddProps {
  workspace: string;
  has: string[];
  add: (tag: string) => Promise<unknown>;
  isBusy: boolean;
}

function AddTag({ workspace, has, add, isBusy }: AddProps) {
  const [opened, { open, close }] = useDisclosure();
  const [tag, setTag] = useState("");
  const used = api.useQuery(
    "get",
    `${FILES}/tags`,
    { params: { path: { workspace_id: workspace } } },
    { enabled: opened },
  );
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (!tag.trim()) return close();
    void add(tag.trim()).then(() => setTag(""), IGNORED);
  };
  if (!opened) {
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<IconTag size={13} />}
        onClick={open}
      >
        Add a tag
      </Button>
    );
  }
  return (
    <form onSubmit={save}>
      <Group gap={4} wrap="nowrap">
        <Autocomplete
          size="xs"
          w={150}
          aria-label="New tag"
          maxLength={100}
          autoFocus
          data={used.data?.tags.map((one) => one.tag).filter((one) => !has.includes(one))}
          value={tag}
          onChange={setTag}
          onKeyDown={(event) => event.key === "Escape" && close()}
        />
        <Button type="submit" size="compact-sm" variant="default" disabled={isBusy}>
          {tag.trim() ? "Add" : "Done"}
        </Button>
      </Group>
    </form>
  );
}
