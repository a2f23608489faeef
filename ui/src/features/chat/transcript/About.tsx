import { Anchor } from "@mantine/core";
import { type ReactNode, useState } from "react";

import { TextLink } from "@/components/TextLink";
import { When } from "@/components/When";
import { Untrusted } from "@/features/gate/shared/Untrusted";
import { useMe } from "@/features/identity/useMe";

import { STATUSES } from "@/features/runs/list/words";
import styles from "./About.module.css";
import { Standing } from "./Standing";
import { Told } from "./Told";
import { turnsOf } from "./turns";
import type { Session } from "./useSession";
import { Ways } from "./Ways";
import { count, money } from "./words";

const FEW = 5;

/** What is so about a session: how it stands, what it used, what it touched and whose words it read. */
export function About({ session }: { session: Session }) {
  const { children, filesModified, strangers } = session;
  const { told } = turnsOf(session);
  return (
    <dl className={styles.facts}>
      <Fact name="Status">
        <Standing session={session} />
      </Fact>
      <Fact name="Used">
        {count(session.tokensUsed, "token")} · {money(session.money)}
        <br />
        {count(session.apiCallsMade, "model call")}
      </Fact>
      <Fact name="Started">
        <Starter session={session} />
      </Fact>
      {filesModified.length > 0 && (
        <Fact name="Files changed">
          <Few items={filesModified.toReversed()} />
        </Fact>
      )}
      {strangers.length > 0 && (
        <Fact name="Strangers' words it has read">
          <Few items={strangers} />
        </Fact>
      )}
      {children.length > 0 && (
        <Fact name="Agents it asked">
          <Children of={children} />
        </Fact>
      )}
      <Fact name="More">
        <Ways session={session} />
      </Fact>
      {told.length > 0 && (
        <Fact name="Before anybody spoke">
          <Told messages={told} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Starter({ session: { userId, userName, kind, createdAt } }: { session: Session }) {
  const me = useMe();
  const who = userId === me.id ? "you" : userName || "the command line";
  const how: Record<string, string> = {
    schedule: ", by a schedule",
    task: ", for a task",
    delegate: ", by another agent",
  };
  return (
    <>
      by {who}
      {how[kind] ?? ""}, <When at={createdAt} />
    </>
  );
}

/** Texts of anybody, the first few at once. */
function Few({ items }: { items: string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, FEW);
  return (
    <ul className={styles.list} role="list">
      {shown.map((item, index) => (
        <li key={index}>
          <Untrusted most={160} brief>
            {item}
          </Untrusted>
        </li>
      ))}
      {shown.length < items.length && (
        <li>
          <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
            and {items.length - shown.length} more
          </Anchor>
        </li>
      )}
    </ul>
  );
}

function Children({ of: children }: { of: Session["children"] }) {
  return (
    <ul className={styles.list} role="list">
      {children.map(({ id, agentName, status }) => (
        <li key={id}>
          <TextLink
            to="/sessions/$sessionId"
            params={{ sessionId: id }}
            size="sm"
            underline="always"
          >
            {agentName}
          </TextLink>{" "}
          <span className={styles.quiet}>{STATUSES[status].words}</span>
        </li>
      ))}
    </ul>
  );
}
