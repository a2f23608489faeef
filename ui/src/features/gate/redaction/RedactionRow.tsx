import { Code, Menu, Switch, Text } from "@mantine/core";

import { MoreMenu } from "@/components/MoreMenu";
import { Row } from "@/components/Rows";
import { TextLink } from "@/components/TextLink";

import type { Redaction } from "./redactionForm";
import { useRedactions } from "./useRedactions";

/** A built-in kind, or a pattern of one's own. */
export function RedactionRow({ redaction }: { redaction: Redaction }) {
  const { id, name, description, pattern, builtin, replacement, enabled } = redaction;
  const { enable, remove } = useRedactions();
  return (
    <Row
      title={
        builtin ? (
          name
        ) : (
          <TextLink to="." search={{ dialog: id }} resetScroll={false} fw={500}>
            {name}
          </TextLink>
        )
      }
      meta={[
        description,
        pattern && <Code>{pattern}</Code>,
        <>
          becomes{" "}
          <Text span ff="monospace" size="sm">
            {replacement || "nothing"}
          </Text>
        </>,
      ]}
      actions={
        <>
          <Switch
            checked={enabled}
            aria-label={`${name}: take it out`}
            onChange={(event) => enable(redaction, event.currentTarget.checked)}
          />
          {!builtin && (
            <MoreMenu label={`More for ${name}`}>
              <Menu.Item onClick={() => remove(redaction)}>Delete</Menu.Item>
            </MoreMenu>
          )}
        </>
      }
    />
  );
}
