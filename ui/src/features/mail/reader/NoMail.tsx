import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";

import { Empty } from "@/components/states";

import { elsewhere, type Place } from "./usePlace";

/** A folder without mail, or an office without accounts. */
export function NoMail({ place }: { place: Place }) {
  const { accounts, search, mayWrite } = place;
  if (accounts?.length === 0) {
    const connect = (
      <Button component={Link} to="/settings/accounts/connect" size="xs">
        Connect an account
      </Button>
    );
    return (
      <Empty title="No mail account is connected" action={mayWrite && connect}>
        {mayWrite
          ? "Connect one, and its mail is shown here and can be given to agents."
          : "Someone who may change this workspace can connect one."}
      </Empty>
    );
  }
  if (search.unread) {
    const all = (
      <Button size="xs" variant="default" onClick={() => place.go({ unread: undefined })}>
        Show all
      </Button>
    );
    return (
      <Empty title="Nothing is unread" action={all}>
        What comes in next stands here.
      </Empty>
    );
  }
  if (search.folder || search.role) {
    const inbox = (
      <Button size="xs" variant="default" onClick={() => place.go(elsewhere({}))}>
        Go to the inbox
      </Button>
    );
    return <Empty title="Nothing is in here" action={inbox} />;
  }
  return <Empty title="The inbox is empty">New mail shows up here by itself.</Empty>;
}
