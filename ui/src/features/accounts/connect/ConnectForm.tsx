import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";

import type { Schemas } from "@/api/client";
import { ProblemAlert } from "@/components/ProblemAlert";

import { SchemaForm } from "../form/SchemaForm";
import { useSchemaForm } from "../form/useSchemaForm";
import { Permissions } from "../Permissions";
import { type Connector, ROUTE_FROM, type RouteFrom } from "../words";
import { Suggested } from "./Suggested";
import { useConnecting } from "./useConnecting";
import { useSuggestion } from "./useSuggestion";

interface Props {
  connector: Connector;
  workspaces: Schemas["WorkspaceOut"][];
}

/** What a kind of account asks for; it is tried before anything is kept. */
export function ConnectForm({ connector, workspaces }: Props) {
  const form = useSchemaForm(connector.settingsForm);
  const suggestion = useSuggestion(connector, form);
  const [label, setLabel] = useState("");
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? "");
  const [routeFrom, setRouteFrom] = useState<RouteFrom>("week");
  const [permissions, setPermissions] = useState(connector.permissions.map(({ name }) => name));
  const { submit, pending, problem, labelError } = useConnecting(connector, form);
  const connect = (event: SubmitEvent) => {
    event.preventDefault();
    submit({ label: label.trim() || null, workspaceId, routeFrom, permissions });
  };
  const words = workspaces.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <form onSubmit={connect} noValidate>
      <Stack gap="md" maw={560}>
        <SchemaForm form={form} after={<Suggested suggestion={suggestion} />} />
        {workspaces.length > 1 && (
          <NativeSelect
            label="Workspace"
            description="Its members see the mail of this account"
            data={words}
            value={workspaceId}
            onChange={(event) => setWorkspaceId(event.currentTarget.value)}
          />
        )}
        <Permissions connector={connector} chosen={permissions} onChange={setPermissions} />
        <NativeSelect
          label="Which mail may wake agents"
          description="Older mail is read and found all the same"
          data={ROUTE_FROM}
          value={routeFrom}
          onChange={(event) => setRouteFrom(event.currentTarget.value as RouteFrom)}
        />
        <TextInput
          label="Name"
          description="Your word for it, and all that agents see of it. Left empty, its address"
          value={label}
          error={labelError}
          maxLength={100}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <ProblemAlert>{problem}</ProblemAlert>
        <Group>
          <Button type="submit" loading={pending}>
            {connector.usesOauth ? `Continue to ${connector.title}` : "Connect the account"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
