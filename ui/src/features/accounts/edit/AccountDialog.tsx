import { NativeSelect, TextInput } from "@mantine/core";

import { http } from "@/api/client";
import { needed } from "@/api/forms";
import { FormDialog } from "@/components/FormDialog";
import { Unfold } from "@/components/Unfold";
import { useFormDialog } from "@/components/useFormDialog";

import { type Account, ACCOUNT, ROUTE_FROM } from "../words";
import { type AccountValues, changed, formValues } from "./accountForm";
import { Signature } from "./Signature";

interface Props {
  opened: boolean;
  onClose: () => void;
  account: Account;
}

const day = new Intl.DateTimeFormat("en", { dateStyle: "long" });

/** What an account is called, signs with, and which of its mail may wake agents. */
export function AccountDialog({ opened, onClose, account }: Props) {
  const { form, dialog } = useFormDialog<AccountValues, Account>({
    opened,
    onClose,
    initialValues: formValues(account),
    validate: { label: needed("A name") },
    affects: ["account"],
    send: (values) =>
      http.PATCH(ACCOUNT, {
        params: { path: { account_id: account.id } },
        body: changed(values, account),
      }),
  });
  const { routeFrom } = account;
  const asItIs = routeFrom ? `mail since ${day.format(new Date(routeFrom))}` : "all mail";
  return (
    <FormDialog title={`Edit ${account.label}`} verb="Save" size="lg" {...dialog}>
      <TextInput
        label="Name"
        description="Your word for it, and all that agents see of it"
        data-autofocus
        {...form.getInputProps("label")}
      />
      <Signature form={form} account={account} />
      <NativeSelect
        label="Which mail may wake agents"
        description="Older mail is read and found all the same"
        data={[{ value: "", label: `As it is: ${asItIs}` }, ...ROUTE_FROM]}
        {...form.getInputProps("routeFrom")}
      />
      <Unfold look="fields" label="Advanced" isFaulty={Boolean(form.errors.authservId)}>
        <TextInput
          label="Server that checks senders"
          description="The name at the beginning of the Authentication-Results headers that your provider's server writes. Its verdict says whether a mail is really from who it says. Left empty, nobody's counts, and all mail is a stranger's"
          placeholder="mx.example.org"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps("authservId")}
        />
      </Unfold>
    </FormDialog>
  );
}
