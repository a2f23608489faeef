import { TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { Unfold } from "@/components/Unfold";

import type { ProviderValues } from "./providerForm";

interface Props {
  form: UseFormReturnType<ProviderValues>;
  opened: boolean;
}

/** What few people need: admins by claim, and the provider's own tokens for the API. */
export function AdvancedFields({ form, opened }: Props) {
  return (
    <Unfold look="fields" label="Admins by claim, and tokens" opened={opened}>
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
    </Unfold>
  );
}
