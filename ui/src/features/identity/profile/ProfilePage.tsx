import { Page } from "@/components/Page";
import { Section } from "@/components/Section";

import { useMe } from "../useMe";
import { AvatarEditor } from "./AvatarEditor";
import { Identities } from "./Identities";
import { NameForm } from "./NameForm";
import { PasswordChange } from "./PasswordChange";

/** What one changes about oneself. */
export function ProfilePage() {
  const me = useMe();
  return (
    <Page title="Profile" description={`You are logged in as ${me.email}.`}>
      <Section title="Picture" description="PNG, JPEG or WebP, 2 MB at most.">
        <AvatarEditor />
      </Section>
      <Section title="Name" description="How others see you.">
        <NameForm />
      </Section>
      <Section
        title="Password"
        description="A change logs you out in all other browsers. API tokens keep working."
      >
        <PasswordChange hasPassword={me.hasPassword} email={me.email} />
      </Section>
      <Section
        title="Log-in providers"
        description="Whoever you are at a linked provider comes in as you."
      >
        <Identities />
      </Section>
    </Page>
  );
}
