import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { api } from "@/api/client";
import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { casesOfMail } from "@/features/cases/useCases";
import { STATES } from "@/features/cases/words";

import styles from "./Routed.module.css";
import type { Mail } from "./words";

/** Whom the filters gave the mail to. */
export function Routed({ mail }: { mail: Mail }) {
  const { routings, workspaceId } = mail;
  const query = { workspaceId };
  const enabled = routings.length > 0;
  const agents = api.useQuery("get", "/api/v1/agents", { params: { query } }, { enabled });
  const filters = api.useQuery("get", "/api/v1/filters", { params: { query } }, { enabled });
  const cases = useQuery({ ...casesOfMail(mail.id), enabled }).data?.items;
  if (!enabled) return null;
  return (
    <ul role="list" aria-label="Where it was routed" className={styles.routed}>
      {routings.map(({ directorId, filterId, routedAt }) => {
        const agent = agents.data?.items.find(({ id }) => id === directorId);
        const one = cases?.find((each) => each.directorId === directorId);
        const filter = filters.data?.items.find(({ id }) => id === filterId);
        return (
          <li key={`${directorId} ${filterId}`}>
            <Text size="sm" c="dimmed">
              Given to{" "}
              {agent ? (
                <TextLink to="/agents/$agentId" params={{ agentId: directorId }} size="sm">
                  {agent.name}
                </TextLink>
              ) : (
                "a director that is gone"
              )}{" "}
              by{" "}
              {filter ? (
                <TextLink
                  to="/mail/filters"
                  search={{ workspace: workspaceId, dialog: filterId }}
                  size="sm"
                >
                  {filter.name}
                </TextLink>
              ) : (
                "a filter that is gone"
              )}
              , <When at={routedAt} />
              {one && (
                <>
                  .{" "}
                  <TextLink to="/results" search={{ case: one.id }} size="sm">
                    See what came of it
                  </TextLink>{" "}
                  ({STATES[one.state].words.toLowerCase()})
                </>
              )}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}
