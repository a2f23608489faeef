import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { Empty, Loaded, Loading } from "@/components/states";
import { DecisionMark } from "@/features/gate/shared/DecisionMark";
import { useDialog } from "@/routes/useDialog";

import { RuleDialog } from "./RuleDialog";
import { RuleList } from "./RuleList";
import { TryDialog } from "./trying/TryDialog";
import { useBounds } from "./useBounds";

const DESCRIPTION =
  "What agents, MCP clients and people may do. The rules are asked from the top, and the first that fits decides.";

/** What is allowed, asked about, blocked or redacted. */
export function PoliciesPage() {
  const rules = api.useQuery("get", "/api/v1/rules");
  const bounds = useBounds();
  const [making, { open, close }] = useDialog();
  const [trying, trial] = useDialog("try");
  const { dialog } = useSearch({ strict: false });
  const items = rules.data?.items ?? [];
  const edited = items.find((rule) => rule.id === dialog && bounds.mayChange(rule));
  const mayMake = bounds.isAdmin || bounds.governed.length > 0;
  const isReady = rules.data !== undefined && bounds.areKnown;
  const add = mayMake && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New rule
    </Button>
  );
  const actions = (
    <>
      <Button variant="default" onClick={trial.open}>
        Try a call
      </Button>
      {add}
    </>
  );
  return (
    <Page title="Policies" description={DESCRIPTION} actions={actions}>
      <Loaded query={rules} loading={<Loading rows={6} />}>
        {() =>
          items.length === 0 ? (
            <Empty title="There is no rule, so everything is denied" action={add}>
              Make a rule that allows something, such as reading.
            </Empty>
          ) : (
            <>
              <RuleList rules={items} bounds={bounds} />
              <Text size="sm" c="dimmed" mt="sm" component="div">
                Whatever no rule fits is <DecisionMark decision={null} />
              </Text>
            </>
          )
        }
      </Loaded>
      <RuleDialog
        opened={(making && mayMake && isReady) || edited !== undefined}
        onClose={close}
        rules={items}
        bounds={bounds}
        rule={edited}
      />
      <TryDialog opened={trying} onClose={trial.close} bounds={bounds} />
    </Page>
  );
}
