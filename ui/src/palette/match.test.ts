import { IconHome } from "@tabler/icons-react";
import { describe, expect, it } from "vitest";

import type { Command } from "./command";
import { inGroups, matching } from "./match";

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  label,
  group: "Go to",
  icon: IconHome,
  run: () => {},
  ...more,
});

const labels = (commands: Command[], text: string) =>
  matching(commands, text).map(({ label }) => label);

describe("the commands that fit", () => {
  const all = [
    command("Sample office"),
    command("Mail settings"),
    command("Outgoing mail"),
    command("Accounts", { words: "mail imap" }),
    command("E-mailing"),
  ];

  it("are all of them, as they come, while nothing is typed", () => {
    expect(labels(all, "  ")).toEqual(all.map(({ label }) => label));
  });

  it("come in this order: the first word, another word, other words, a part of a word", () => {
    const found = labels([...all, command("Blackmail")], "mail");
    expect(found).toEqual(["Mail settings", "Outgoing mail", "E-mailing", "Accounts", "Blackmail"]);
  });

  it("have every word that was typed, in any case and order", () => {
    expect(labels(all, "SET mai")).toEqual(["Mail settings"]);
    expect(labels(all, "mail nothing")).toEqual([]);
  });

  it("are found by what stands beside them and by their group", () => {
    const rule = command("No sending", { group: "Rules", detail: "switched off" });
    expect(labels([rule], "rules off")).toEqual(["No sending"]);
  });
});

it("puts the group of the best command first and keeps the order in a group", () => {
  const [a, b, c] = [command("A", { group: "Two" }), command("B"), command("C", { group: "Two" })];
  expect(inGroups([a, b, c])).toEqual([
    ["Two", [a, c]],
    ["Go to", [b]],
  ]);
});
