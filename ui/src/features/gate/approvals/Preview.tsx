import { Stack, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";

import type { Schemas } from "@/api/client";
import { Unfold } from "@/components/Unfold";

import { Arguments, Value } from "../shared/Arguments";
import shared from "../shared/Arguments.module.css";
import { Untrusted, Visible } from "../shared/Untrusted";
import { fieldName } from "../shared/words";
import { Attached } from "./Attached";
import { filesOf } from "./attachments";
import { Diff } from "./Diff";
import styles from "./Preview.module.css";

type Approval = Schemas["ApprovalOut"];
type Shape = Record<string, unknown>;

/** What would happen; and, since a preview may leave something out, all that the tool is given. */
export function Preview({ approval }: { approval: Approval }) {
  const { preview, edited } = approval;
  const values = edited ?? approval.arguments;
  // Of changed arguments nobody made a preview.
  const drawn = preview && !edited && draw(preview, approval.id);
  if (!drawn) {
    return (
      <div className={styles.box}>
        <Arguments values={values} />
      </div>
    );
  }
  return (
    <Stack gap={6}>
      {drawn}
      <Unfold
        look="inline"
        label={<span className={styles.quiet}>All that the tool is given</span>}
      >
        <div className={styles.box}>
          <Arguments values={values} />
        </div>
      </Unfold>
    </Stack>
  );
}

/** A preview as its kind wants it: `diff`, `fields`, `text`, or a sentence. */
function draw(preview: Shape, approvalId: string): ReactNode {
  const { kind } = preview;
  const text = textOf(preview, "text");
  const fields = asShape(preview.fields);
  const note = textOf(preview, "note");
  if (text === null && !fields && note === null) return null;
  return (
    <>
      {kind !== "note" && <Said>{textOf(preview, "path")}</Said>}
      <Said>{note}</Said>
      {fields && <Changes title={textOf(preview, "title")} fields={fields} />}
      {text !== null && <Words kind={kind}>{text}</Words>}
      <Attached approvalId={approvalId} files={filesOf(preview)} />
      {preview.truncated === true && (
        <Text size="sm" c="dimmed">
          Only the beginning is shown here; below is all of it.
        </Text>
      )}
    </>
  );
}

function Words({ kind, children }: { kind: unknown; children: string }) {
  if (kind === "diff") return children ? <Diff>{children}</Diff> : <Said>Nothing changes.</Said>;
  if (kind !== "text") return <Said>{children}</Said>;
  return (
    <div className={styles.box}>
      <Untrusted>{children}</Untrusted>
    </div>
  );
}

function Said({ children }: { children: string | null }) {
  if (!children) return null;
  return (
    <Text size="sm">
      <Untrusted>{children}</Untrusted>
    </Text>
  );
}

/** Values before and after. */
function Changes({ title, fields }: { title: string | null; fields: Shape }) {
  return (
    <div className={styles.box}>
      {title !== null && (
        <Text size="sm" fw={500} mb={4}>
          <Untrusted most={200}>{title}</Untrusted>
        </Text>
      )}
      <dl className={shared.fields}>
        {Object.entries(fields).map(([name, change]) => {
          const { before, after } = asShape(change) ?? { before: null, after: change };
          return (
            <Fragment key={name}>
              <dt>
                <Visible>{fieldName(name)}</Visible>
              </dt>
              <dd>
                <del>
                  <Value of={before} />
                </del>{" "}
                <span aria-hidden>→</span>{" "}
                <ins>
                  <Value of={after} />
                </ins>
              </dd>
            </Fragment>
          );
        })}
      </dl>
    </div>
  );
}

const textOf = (shape: Shape, name: string): string | null =>
  typeof shape[name] === "string" ? shape[name] : null;

const asShape = (value: unknown): Shape | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Shape) : null;
