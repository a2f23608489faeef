import { Button } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";

import { api } from "@/api/client";
import { notify } from "@/components/notify";
import { When } from "@/components/When";
import { useMe } from "@/features/identity/useMe";
import { useRefresh } from "@/live/useRefresh";

import { Untrusted } from "../shared/Untrusted";
import styles from "./Halt.module.css";
import { useHalt } from "./useHalt";

/** While everything is stopped, every page says so: who, when and why. */
export function HaltBar() {
  const halt = useHalt();
  const { isAdmin } = useMe();
  if (!halt?.stopped) return null;
  return (
    <div role="alert" className={styles.bar}>
      <IconHandStop size={20} stroke={1.8} aria-hidden />
      <div className={styles.words}>
        <strong>Everything is stopped.</strong> {halt.by ?? "Someone"} stopped it{" "}
        {halt.at && <When at={halt.at} />}
        {halt.reason ? (
          <>
            : <Untrusted most={200}>{halt.reason}</Untrusted>
          </>
        ) : (
          "."
        )}
      </div>
      {isAdmin ? <Release /> : <span>An admin can release it.</span>}
    </div>
  );
}

function Release() {
  const refresh = useRefresh();
  const release = api.useMutation("delete", "/api/v1/halt", {
    onSuccess: () => notify.done("Released. Agents can act again."),
    onSettled: () => refresh("halt"),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={release.isPending}
      onClick={() => release.mutate({})}
    >
      Release
    </Button>
  );
}
