import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";

import { Page } from "@/components/Page";
import { Empty } from "@/components/states";

import { PromptList } from "./PromptList";
import styles from "./Prompts.module.css";

const DESCRIPTION =
  "What agents are told before they begin. Write a prompt once, and give it to as many agents as you like.";

/** All prompts and templates on the left, and the one that is open beside them. */
export function PromptsPage() {
  const isOpen = useRouterState({ select: ({ location }) => location.pathname !== "/prompts" });
  const add = (
    <Button component={Link} to="/prompts/new" leftSection={<IconPlus size={16} />}>
      New prompt
    </Button>
  );
  return (
    <Page title="Prompts" description={DESCRIPTION} actions={add} wide>
      <div className={styles.page} data-open={isOpen || undefined}>
        <div className={styles.list}>
          <PromptList />
        </div>
        <div className={styles.open}>
          <Outlet />
        </div>
      </div>
    </Page>
  );
}

/** Nothing is open yet. */
export function NothingOpen() {
  return (
    <Empty title="Choose a prompt, or start from a template">
      The templates on the left come with Bailiwick: each is a prompt that was written with care.
      Open one to read it, and use it as the beginning of your own.
    </Empty>
  );
}
