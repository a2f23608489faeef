import { Section } from "@/components/Section";

import { Basics } from "./Basics";
import { Bounds } from "./Bounds";
import { Capabilities } from "./Capabilities";
import { Colleagues } from "./Colleagues";
import type { Form } from "./form";
import { Mail } from "./Mail";
import { Places } from "./Places";
import { Sharing } from "./Sharing";
import { Told } from "./Told";
import { Tools } from "./Tools";

interface Props {
  form: Form;
  /** The agent, if it is there already. */
  id?: string;
  ownerId: string;
  /** Where a new one can be put. */
  places: { value: string; label: string }[];
}

/** All parts of the form, in the order in which one thinks of them. */
export function Sections({ form, id, ownerId, places }: Props) {
  return (
    <>
      <Section title="What it is">
        <Basics form={form} places={places} />
      </Section>
      <Section title="What it is told" description="Before it begins, in this order.">
        <Told form={form} />
      </Section>
      {form.values.kind === "director" && (
        <Section title="Mail" description="What it is given to work on.">
          <Mail form={form} id={id} />
        </Section>
      )}
      <Section
        title="What it may do"
        description="Whatever is not ticked, no rule and no approval can allow."
      >
        <Capabilities form={form} />
      </Section>
      <Section title="Where" description="What lies outside, it cannot even see.">
        <Places form={form} />
      </Section>
      <Section title="Tools">
        <Tools form={form} />
      </Section>
      <Section title="Colleagues">
        <Colleagues form={form} id={id} ownerId={ownerId} />
      </Section>
      <Section title="How much" description="At a bound it stops, and says which.">
        <Bounds form={form} />
      </Section>
      <Section title="Who may use it">
        <Sharing form={form} />
      </Section>
    </>
  );
}
