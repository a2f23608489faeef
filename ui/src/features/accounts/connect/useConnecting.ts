import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { fieldErrorsOf } from "@/api/problem";
import { useRefresh } from "@/live/useRefresh";

import { filled } from "../form/fields";
import type { useSchemaForm } from "../form/useSchemaForm";
import { leaveFor } from "../leaveFor";
import { ACCOUNTS, type Connector } from "../words";

type Given = Pick<Schemas["AccountIn"], "label" | "workspaceId" | "routeFrom" | "permissions">;

/** Connects with the form, or leaves for the provider's page. */
export function useConnecting(connector: Connector, form: ReturnType<typeof useSchemaForm>) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [problem, setProblem] = useState<string | null>(null);
  const [labelError, setLabelError] = useState<string>();
  const options = {
    meta: { inForm: true },
    onError: (error: unknown) => {
      const { label } = fieldErrorsOf(error);
      setLabelError(label);
      setProblem(label ? null : form.fail(error, "settings"));
    },
  };
  const connect = api.useMutation("post", ACCOUNTS, {
    ...options,
    onSuccess: async ({ id }) => {
      await refresh("account", "connector");
      await navigate({ to: "/settings/accounts", search: { connected: id } });
    },
  });
  const consent = api.useMutation("post", "/api/v1/connectors/{connector_id}/oauth/start", {
    ...options,
    onSuccess: ({ authorizeUrl }) => leaveFor(authorizeUrl),
  });
  const submit = (given: Given) => {
    setProblem(null);
    setLabelError(undefined);
    if (!form.check()) return;
    const body = { ...given, settings: filled(form.values) };
    if (connector.usesOauth) {
      consent.mutate({ params: { path: { connector_id: connector.name } }, body });
    } else connect.mutate({ body: { ...body, connector: connector.name } });
  };
  // It stays busy until the browser has left.
  const pending = connect.isPending || consent.isPending || consent.isSuccess;
  return { submit, pending, problem, labelError };
}
