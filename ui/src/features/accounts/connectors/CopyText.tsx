import { Button, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

import { CodeBlock } from "@/components/CodeBlock";

/** Several lines to take along, with a button that copies them. */
export function CopyText({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <CodeBlock label={label}>{value}</CodeBlock>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            mt={6}
            size="xs"
            variant="default"
            leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            onClick={copy}
          >
            {copied ? "Copied" : "Copy all lines"}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
