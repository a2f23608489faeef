import { Button, Stack, Text } from "@mantine/core";

import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import { leaveFor } from "../leaveFor";
import { type Account, needsPerson, problemInWords } from "../words";

interface Props {
  account: Account;
  manages: boolean;
  onRenew: () => void;
}

/** What is wrong with an account, and the way to set it right. */
export function Trouble({ account, manages, onRenew }: Props) {
  const { label, problem, problemDetail, problemAt, authorizeUrl } = account;
  if (!problem) return null;
  return (
    <Stack gap="xs" mt={4} align="flex-start">
      <Text size="sm">
        {problemInWords(account)}{" "}
        <Text span size="sm" c="dimmed">
          <Untrusted>{problemDetail ?? ""}</Untrusted>{" "}
          {problemAt && <When at={problemAt} prefix="Since" />}
        </Text>
      </Text>
      {manages && authorizeUrl && (
        <Button
          size="xs"
          onClick={() => leaveFor(authorizeUrl)}
          aria-label={`Re-authorise ${label}`}
        >
          Re-authorise
        </Button>
      )}
      {manages && !authorizeUrl && needsPerson(problem) && (
        <Button size="xs" onClick={onRenew} aria-label={`Give the password of ${label} again`}>
          Give the password again
        </Button>
      )}
      {!manages && needsPerson(problem) && (
        <Text size="sm">Its owner has to authorise it again.</Text>
      )}
    </Stack>
  );
}
