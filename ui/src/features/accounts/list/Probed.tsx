import { detailOf } from "@/api/problem";
import { StateMark } from "@/components/StateMark";
import { Untrusted } from "@/features/gate/shared/Untrusted";

import type { Probe } from "./useProbe";

/** What came of signing in once. */
export function Probed({ probe: { result, error, isRunning } }: { probe: Probe }) {
  const problem = error ? detailOf(error) : result && !result.ok && result.detail;
  return (
    <div role="status">
      {!isRunning && problem && (
        <StateMark state="failed">
          <Untrusted>{problem}</Untrusted>
        </StateMark>
      )}
      {!isRunning && !error && result?.ok && (
        <StateMark state="ok">
          It works. The provider knows it as {result.address || "this account"}.
        </StateMark>
      )}
    </div>
  );
}
