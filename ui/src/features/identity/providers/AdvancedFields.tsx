import { Button, Collapse, Stack, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";

import type { ProviderValues } from "./providerForm";

interface Props {
  form: UseFormReturnType<ProviderValues>;
  opened: boolean;
}

/** What few people need: admins by claim, and the provider's own tokens for the API. */
export function AdvancedFields({ form, opened: atFirst }: Props) {
  const [opened, { toggle }] = useDisclosure(atFirst);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Chevron size={16} />}
        aria-expanded={opened}
        onClick={toggle}
      >
        Admins by claim, and tokens
      </Button>
      <Collapse expanded={opened}>
        <Stack gap="md" pt="sm">
          <TextInput
            label="Claim that makes an admin"
            description="Such as “groups”. Empty: roles are given here, under Users."
            {...form.getInputProps("adminClaim")}
          />
          <TagsInput
            label="Values of that claim"
            acceptValueOnBlur
            {...form.getInputProps("adminValues")}
          />
          <TextInput
            label="Audience of bearer tokens"
            description="Lets programs use the API with this provider's access tokens made for this audience."
            {...form.getInputProps("bearerAudience")}
          />
        </Stack>
      </Collapse>
    </div>
  );
}
