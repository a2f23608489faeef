import { Button, Container, Text, Title } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";

import { Page } from "@/components/Page";
import { Failed } from "@/components/states";
import { useTitle } from "@/components/useTitle";

/** There is no such page. */
export function Missing() {
  useTitle("Not found");
  return (
    <Container size="xs" py="xl" component="main">
      <Title order={1}>There is nothing at this address</Title>
      <Text c="dimmed" mt="xs" mb="md">
        The link may be old, or mistyped.
      </Text>
      <Button component={Link} to="/">
        Go home
      </Button>
    </Container>
  );
}

interface Props {
  error: unknown;
  reset: () => void;
}

function useRetry(reset: () => void) {
  const router = useRouter();
  return () => {
    reset();
    return router.invalidate();
  };
}

/** Nothing at all could be shown. */
export function Broken({ error, reset }: Props) {
  useTitle("Problem");
  const retry = useRetry(reset);
  return (
    <Container size="xs" py="xl" component="main">
      <Title order={1} mb="md">
        This page could not be shown
      </Title>
      <Failed error={error} retry={retry} />
    </Container>
  );
}

/** A page could not be shown; what is around it is still there. */
export function PageBroken({ error, reset }: Props) {
  const retry = useRetry(reset);
  return (
    <Page title="Problem" heading="This page could not be shown">
      <Failed error={error} retry={retry} />
    </Page>
  );
}
