import { describe, expect, it } from "vitest";

import { fieldsOf, filled, missing, sorted, started } from "./fields";

const SCHEMA = {
  required: ["address", "password"],
  properties: {
    address: { type: "string", format: "email", title: "Address" },
    password: { type: "string", writeOnly: true },
    imap_port: { type: "integer", default: 993, minimum: 1, maximum: 65535 },
    security: { enum: ["tls", "none"], default: "tls" },
    signature: { type: "string", contentMediaType: "text/plain" },
    archive: { type: "boolean" },
  },
};
const fields = fieldsOf(SCHEMA);

describe("a connector's form", () => {
  it("has a field of a fitting kind for each setting, with a name for people", () => {
    expect(fields.map(({ kind }) => kind)).toEqual([
      "email",
      "secret",
      "number",
      "choice",
      "lines",
      "yes-no",
    ]);
    expect(fields.map(({ title }) => title).slice(0, 3)).toEqual([
      "Address",
      "Password",
      "Imap port",
    ]);
    expect(fields[2]).toMatchObject({ default: 993, least: 1, most: 65535, required: false });
  });

  it("shows what is needed first; where nothing is, what has no default", () => {
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    expect(names(sorted(fields).main)).toEqual(["address", "password"]);
    const free = fieldsOf({ ...SCHEMA, required: [] });
    expect(names(sorted(free).further)).toEqual(["imap_port", "security"]);
  });

  it("begins with what is known or usual, and never with a secret", () => {
    expect(started(fields, { address: "ada@example.com", password: "x", imap_port: 143 })).toEqual({
      address: "ada@example.com",
      password: "",
      imap_port: 143,
      security: "tls",
      signature: "",
      archive: false,
    });
  });

  it("says what is missing, and sends only what was filled in", () => {
    const values = { ...started(fields), address: "  ", password: "x" };
    expect(missing(fields, values)).toEqual({ address: "Address is needed" });
    expect(filled(values)).toEqual({
      password: "x",
      imap_port: 993,
      security: "tls",
      archive: false,
    });
  });
});
