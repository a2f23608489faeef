import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Section } from "@/components/Section";
import { Empty } from "@/components/states";
import { useMe } from "@/features/identity/useMe";
import { useDialog } from "@/routes/useDialog";

import { Found } from "./Found";
import { ModelDialog } from "./ModelDialog";
import { ModelRow } from "./ModelRow";
import { Spend } from "./spend/Spend";
import type { Model } from "./words";

/** The models that agents can be given, and what was spent on them. */
export function ModelsPage() {
  const { isAdmin } = useMe();
  const query = api.useQuery("get", "/api/v1/models");
  const models = query.data?.items ?? [];
  const [adding, { open, close }] = useDialog();
  const [editing, editor] = useDisclosure();
  const [edited, setEdited] = useState<Model | undefined>();
  const edit = (model: Model) => {
    setEdited(model);
    editor.open();
  };
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add a model
    </Button>
  );
  return (
    <Page
      title="Models"
      description={
        isAdmin
          ? "What agents think with. An agent that names none has the default."
          : "What agents think with. Admins of this office add and change them."
      }
      actions={isAdmin && add}
    >
      <Section title="Models of this office">
        <Listing
          label="Models"
          query={query}
          empty={<Empty title="There is no model" action={isAdmin && add} />}
          expected={1}
        >
          {(model) => (
            <ModelRow
              key={model.id}
              model={model}
              models={models}
              mayChange={isAdmin}
              onEdit={() => edit(model)}
            />
          )}
        </Listing>
      </Section>
      {isAdmin && <Found models={models} />}
      <Spend />
      {isAdmin && (
        <>
          <ModelDialog opened={adding} onClose={close} models={models} />
          <ModelDialog opened={editing} onClose={editor.close} model={edited} models={models} />
        </>
      )}
    </Page>
  );
}
