import { Button, Container, Text, Title } from "@mantine/core";
import { Link, useRouter } from "@tanstack/react-router";

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

/** A page that could not be shown. */
export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  useTitle("Problem");
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="xs" py="xl" component="main">
      <Title order={1} mb="md">
        This page could not be shown
      </Title>
      <Failed error={error} retry={retry} />
    </Container>
  );
}
