import { Box, List, Stack } from "@mantine/core";

import { CopyLine } from "@/components/CopyLine";
import { Section } from "@/components/Section";

/** How a provider comes to know this office. */
export function HowTo({ redirectUri }: { redirectUri: string | undefined }) {
  return (
    <Box mt="xl">
      <Section title="How to register this office with a provider">
        <Stack gap="md">
          <List type="ordered" size="sm" spacing={4}>
            <List.Item>
              At the provider, make an OAuth client of the kind “web application”. At Google: Cloud
              console, APIs and services, Credentials, Create OAuth client ID.
            </List.Item>
            <List.Item>Give it the redirect address below, letter by letter.</List.Item>
            <List.Item>
              Copy its client ID and client secret, choose “Add a provider” here, and paste them.
            </List.Item>
            <List.Item>
              Log out and try the new button before you switch passwords off under Office.
            </List.Item>
          </List>
          <CopyLine label="Redirect address to register" value={redirectUri ?? "…"} />
        </Stack>
      </Section>
    </Box>
  );
}
