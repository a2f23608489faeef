import { Code } from "@mantine/core";

import { ShownOnce } from "@/components/ShownOnce";

interface Props {
  name: string;
  secret: string | null;
  onClose: () => void;
}

/** The secret with which deliveries are signed, told once. */
export function NewSecret({ name, secret, onClose }: Props) {
  return (
    <ShownOnce title={`Secret of “${name}”`} label="Secret" value={secret} onClose={onClose}>
      Give it to the program that receives, and to nobody else: with it the program knows that a
      delivery is from this office. Each one is signed in its <Code>webhook-signature</Code> header,
      as Standard Webhooks says. The secret is shown this once only.
    </ShownOnce>
  );
}
