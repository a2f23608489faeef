import { api } from "@/api/client";
import { Fact, Facts } from "@/components/Facts";
import { Loaded, Loading } from "@/components/states";
import { Unfold } from "@/components/Unfold";
import { When } from "@/components/When";

const number = new Intl.NumberFormat("en");
const ENCRYPTION = { on: "on", off: "off", operator: "the operator’s" };

/** How the installation stands. */
export function Runtime() {
  const status = api.useQuery("get", "/api/v1/diagnostics/runtime");
  return (
    <Loaded query={status} loading={<Loading rows={1} />}>
      {({ encryption, encryptionDetail, counts, versions, ...rest }) => (
        <Unfold
          look="box"
          label={`Bailiwick ${versions.bailiwick} · encryption ${ENCRYPTION[encryption]} · cases: ${number.format(counts.cases)} · runs: ${number.format(counts.runs)}, ${counts.runsUnderWay} under way`}
        >
          {() => (
            <Facts>
              <Fact name="Encryption">{encryptionDetail}</Fact>
              <Fact name="Data folder">
                <code>{rest.dataFolder}</code>
              </Fact>
              <Fact name="Sealing key">{rest.vaultKey}</Fact>
              <Fact name="Database">{rest.database === "sqlite" ? "SQLite" : "PostgreSQL"}</Fact>
              <Fact name="Started">
                <When at={rest.startedAt} />
              </Fact>
              <Fact name="Counts">
                {Object.entries(counts)
                  .map(([name, count]) => `${name} ${number.format(count)}`)
                  .join(", ")}
              </Fact>
              <Fact name="Versions">
                {Object.entries(versions)
                  .map(([name, version]) => `${name} ${version}`)
                  .join(", ")}
                , {rest.platform}
              </Fact>
              <Fact name="Kept for">{rest.diagnosticsDays} days</Fact>
            </Facts>
          )}
        </Unfold>
      )}
    </Loaded>
  );
}
