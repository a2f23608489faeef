import { expect, it } from "vitest";

import { anEmail, needed, newPassword } from "./forms";

it("asks for what is needed, and takes blanks for nothing", () => {
  expect(needed("A name")("")).toBe("A name is needed");
  expect(needed("A name")("  ")).toBe("A name is needed");
  expect(needed("A name")(" Ada ")).toBeNull();
});

it("takes what looks like an e-mail address", () => {
  expect(anEmail(" ada@example.com ")).toBeNull();
  for (const text of ["", "ada", "ada@", "@example.com", "ada love@example.com"]) {
    expect(anEmail(text), text).not.toBeNull();
  }
});

it("wants ten characters for a new password", () => {
  expect(newPassword("123456789")).not.toBeNull();
  expect(newPassword("1234567890")).toBeNull();
});
