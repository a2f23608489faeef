import { NumberInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

import { Unfold } from "@/components/Unfold";

import type { ClientValues } from "./clientForm";

/** How much it may use; an empty field is no bound. */
export function LimitFields({ form }: { form: UseFormReturnType<ClientValues> }) {
  const { requestsPerHour } = form.values;
  const calls = requestsPerHour === "" ? "any number of calls" : `${requestsPerHour} calls an hour`;
  return (
    <Unfold look="fields" label={`How much: ${calls}`}>
      <NumberInput
        label="Calls an hour"
        description="Left empty, there is no bound"
        min={1}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps("requestsPerHour")}
      />
      <NumberInput
        label="Tokens a day"
        min={1}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps("tokensPerDay")}
      />
      <NumberInput label="Money a day" min={0.01} {...form.getInputProps("moneyPerDay")} />
    </Unfold>
  );
}
