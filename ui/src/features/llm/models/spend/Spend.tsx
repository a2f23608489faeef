import { Group, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";

import { api, type Schemas } from "@/api/client";
import { Section } from "@/components/Section";
import { Empty, Loaded } from "@/components/states";
import { TextLink } from "@/components/TextLink";
import { useMe } from "@/features/identity/useMe";

import { counted, dollars, savedInWords } from "../amounts";
import { Bars } from "./Bars";
import styles from "./Bars.module.css";
import { SpendTable } from "./SpendTable";
import { daily, summed } from "./sums";

const TIMES = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];
const WHOSE = [
  { value: "mine", label: "By you" },
  { value: "all", label: "By everyone" },
];

/** Tokens and money, by day, agent and model. */
export function Spend() {
  const { isAdmin } = useMe();
  const [days, setDays] = useState(30);
  const [whose, setWhose] = useState<"mine" | "all">(isAdmin ? "all" : "mine");
  const spend = api.useQuery("get", "/api/v1/spend", { params: { query: { days, whose } } });
  return (
    <Section
      title="What was spent"
      actions={
        <Group gap="xs">
          {isAdmin && (
            <NativeSelect
              size="xs"
              aria-label="By whom"
              data={WHOSE}
              value={whose}
              onChange={(event) => setWhose(event.currentTarget.value as typeof whose)}
            />
          )}
          <NativeSelect
            size="xs"
            aria-label="Time"
            data={TIMES}
            value={String(days)}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
          />
        </Group>
      }
    >
      <Loaded query={spend}>{(found) => <Figures spend={found} days={days} />}</Loaded>
    </Section>
  );
}

function Figures({ spend, days }: { spend: Schemas["SpendOut"]; days: number }) {
  const { items, money, saved, tokens, cacheReadTokens, unpricedCalls, estimatedCalls } = spend;
  const caching = savedInWords(saved);
  if (items.length === 0) {
    return <Empty title="No model was asked in this time">What agents use shows up here.</Empty>;
  }
  return (
    <>
      <Text mb="xs">
        {dollars(money)} for {counted(tokens, "token")}
        {caching && (
          <Text span>
            {" "}
            · {caching}, with {counted(cacheReadTokens, "token")} from the providers’ caches
          </Text>
        )}
        {unpricedCalls > 0 && (
          <Text span c="dimmed">
            {" "}
            · {counted(unpricedCalls, "call")} had no known price and{" "}
            {unpricedCalls === 1 ? "counts" : "count"} as $0: give the model a price above
          </Text>
        )}
        {estimatedCalls > 0 && (
          <Text span c="dimmed">
            {" "}
            · the tokens of {counted(estimatedCalls, "call")} are estimated, because the server did
            not tell or the call was stopped
          </Text>
        )}
      </Text>
      <Bars days={daily(items, days)} />
      <div className={styles.tables}>
        <SpendTable
          caption="By agent"
          what="Agent"
          sums={summed(items, ({ agentId, agentName }) => ({ key: agentId, name: agentName }))}
          name={({ key, name }) => (
            <TextLink to="/runs" search={{ agent: key }}>
              {name}
            </TextLink>
          )}
        />
        <SpendTable
          caption="By model"
          what="Model"
          sums={summed(items, ({ modelId, model }) => ({
            key: `${modelId} ${model}`,
            name: model,
          }))}
        />
      </div>
    </>
  );
}
