import { Title } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";

import styles from "./Pane.module.css";

/** Hears of each new heading. */
export const OnShown = createContext<(title: HTMLElement) => void>(() => {});

interface Props {
  title: ReactNode;
  /** Where it stands in the tree. */
  above?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** What is shown, and what can be done with it. */
export function Head({ title, above, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const onShown = useContext(OnShown);
  useEffect(() => {
    if (heading.current) onShown(heading.current);
  }, [onShown]);
  return (
    <header className={styles.head}>
      {above && <div className={styles.above}>{above}</div>}
      <div className={styles.heading}>
        <Title
          ref={heading}
          order={2}
          id="result-title"
          tabIndex={-1}
          className={styles.title}
          dir="auto"
        >
          {title}
        </Title>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children && <div className={styles.facts}>{children}</div>}
    </header>
  );
}
