import { Box, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import styles from "./Page.module.css";
import { useTitle } from "./useTitle";

interface Props {
  /** What the browser's tab says, and the heading too if that is not given. */
  title: string;
  heading?: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** As wide as the window: for a page with something beside its list. */
  wide?: boolean;
  children: ReactNode;
}

/** A page's heading and content; also names the browser's tab. */
export function Page({ title, heading = title, description, actions, wide, children }: Props) {
  useTitle(title);
  return (
    <Box maw={wide ? undefined : 860}>
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <Box flex="1 1 260px">
          <Title order={1} tabIndex={-1} className={styles.heading}>
            {heading}
          </Title>
          {description && (
            <Text c="dimmed" mt={4} maw={620}>
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
