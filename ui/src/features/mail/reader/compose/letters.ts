import { draftsOf, useDraftKey } from "@/drafts/drafts";

import { type Mail, subjectOf } from "../words";

export interface Letter {
  to: string[];
  cc: string[];
  subject: string;
  body: string;
  account: string;
}

export type Kind = "new" | "reply" | "reply-all";

/** What is typed and not sent. It is still there after a look at something else. */
export const drafts = draftsOf<Letter>("letter", {
  isWorthKeeping: ({ to, body }) => Boolean(body) || to.length > 0,
  warns: false,
});

/** Something that an answer begins with, such as a draft that an agent wrote. */
export interface Start {
  id: string;
  text: string;
}

/** One new mail, and one answer to each mail, whomever it goes to; and one for each thing that it begins with. */
export function useLetterKey(kind: Kind, mail: Mail | undefined, from?: Start): string {
  const answer = ["answer", mail?.id, from?.id].filter(Boolean).join(" ");
  return useDraftKey()(kind === "new" ? "new" : answer);
}

/** The tool that sends it, and what it is told. */
export function callFor(kind: Kind, mail: Mail | undefined, letter: Letter) {
  const { to, cc, subject, body, account } = letter;
  if (kind === "new" || !mail) {
    return { tool: "send_email", args: { to, cc, subject, body, account } };
  }
  const all = kind === "reply-all";
  return { tool: "reply_email", args: { email_id: mail.virtualId, body, cc, all } };
}

export function titleOf(kind: Kind, mail: Mail | undefined): string {
  if (kind === "new" || !mail) return "New mail";
  return `Reply to “${subjectOf(mail).slice(0, 60)}”`;
}

/** Whom an answer goes to, as far as the page can tell; the server decides. */
export function answeredTo(kind: Kind, mail: Mail): string {
  const asked = mail.replyTo.length > 0 ? mail.replyTo : [mail.sender];
  const names = asked.map(({ address }) => address).join(", ");
  if (kind !== "reply-all") return names;
  return `${names} and everyone else who got it`;
}
