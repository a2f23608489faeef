import { TextLink } from "@/components/TextLink";

import styles from "./Prompts.module.css";

/** On a phone, the way back to the list. */
export function Back() {
  return (
    <TextLink to="/prompts" className={styles.back} activeProps={{}}>
      ← All prompts
    </TextLink>
  );
}
