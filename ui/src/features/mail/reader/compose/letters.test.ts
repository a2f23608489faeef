import { expect, it } from "vitest";

import type { Mail } from "../words";
import { answeredTo, callFor, titleOf } from "./letters";

const mail = {
  id: "m1",
  virtualId: "v1",
  subject: "Lunch",
  sender: { name: "Ada", address: "ada@example.com" },
  replyTo: [],
} as unknown as Mail;
const letter = { to: ["b@example.com"], cc: [], subject: "S", body: "B", account: "Work" };

it("sends a new mail with all that was written", () => {
  expect(callFor("new", undefined, letter)).toEqual({ tool: "send_email", args: letter });
  expect(titleOf("new", mail)).toBe("New mail");
});

it("answers with the words alone: whom it goes to, the server knows", () => {
  expect(callFor("reply", mail, letter)).toEqual({
    tool: "reply_email",
    args: { email_id: "v1", body: "B", cc: [], all: false },
  });
  expect(callFor("reply-all", mail, letter).args).toMatchObject({ all: true });
  expect(titleOf("reply", mail)).toBe("Reply to “Lunch”");
});

it("says whom an answer goes to", () => {
  expect(answeredTo("reply", mail)).toBe("ada@example.com");
  const elsewhere = { ...mail, replyTo: [{ name: "", address: "list@example.com" }] };
  expect(answeredTo("reply-all", elsewhere)).toBe("list@example.com and everyone else who got it");
});
