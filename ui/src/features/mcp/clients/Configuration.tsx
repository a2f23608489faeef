import { ActionIcon, Box, CopyButton, Group, Stack, Tabs, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

import { api, type Schemas } from "@/api/client";
import { CodeBlock } from "@/components/CodeBlock";
import { Loaded, LoadingForm } from "@/components/states";

interface Props {
  clientId: string;
  /** Put in place of the placeholder while it is known. */
  token?: string;
}

/** What to paste where, so that a program finds this office. */
export function Configuration({ clientId, token }: Props) {
  const configuration = api.useQuery("get", "/api/v1/clients/{client_id}/configuration", {
    params: { path: { client_id: clientId } },
  });
  return (
    <Loaded query={configuration} loading={<LoadingForm />}>
      {({ items, placeholder }) => {
        const programs = [...new Set(items.map(({ program }) => program))];
        const filled = (text: string) => (token ? text.replaceAll(placeholder, token) : text);
        return (
          <Tabs defaultValue="0">
            <Tabs.List>
              {programs.map((program, place) => (
                <Tabs.Tab key={program} value={String(place)}>
                  {program}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {programs.map((program, place) => (
              <Tabs.Panel key={program} value={String(place)} pt="sm">
                <Stack gap="md">
                  {items
                    .filter((item) => item.program === program)
                    .map((item) => (
                      <Snippet key={item.where} item={item} text={filled(item.text)} />
                    ))}
                  {!token && (
                    <Text size="sm" c="dimmed">
                      Put the client's token in place of {placeholder}. If it is lost, make a new
                      one.
                    </Text>
                  )}
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        );
      }}
    </Loaded>
  );
}

function Snippet({ item, text }: { item: Schemas["ConfigurationItem"]; text: string }) {
  return (
    <Box>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={500}>
          {item.where}
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? "Copied" : "Copy"}>
              <ActionIcon variant="default" onClick={copy} aria-label={`Copy: ${item.where}`}>
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      <CodeBlock label={`${item.program}: ${item.where}`}>{text}</CodeBlock>
    </Box>
  );
}
