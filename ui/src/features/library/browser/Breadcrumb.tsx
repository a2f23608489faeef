import { Anchor } from "@mantine/core";
import { Fragment } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import type { Go } from "./browsed";
import styles from "./Library.module.css";

/** The folders on the way to this one, each to go back to. */
export function Breadcrumb({ folder, go }: { folder: string; go: Go }) {
  const names = folder ? folder.split("/") : [];
  const show = (path?: string) => go({ folder: path, file: undefined, edit: undefined });
  return (
    <nav className={styles.trail} aria-label="Where you are">
      {names.length === 0 ? (
        <span aria-current="page">All notebooks</span>
      ) : (
        <Anchor component="button" type="button" size="sm" onClick={() => show()}>
          All notebooks
        </Anchor>
      )}
      {names.map((name, at) => (
        <Fragment key={at}>
          <span aria-hidden>/</span>
          {at === names.length - 1 ? (
            <span aria-current="page">
              <Visible>{name}</Visible>
            </span>
          ) : (
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => show(names.slice(0, at + 1).join("/"))}
            >
              <Visible>{name}</Visible>
            </Anchor>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
