import { expect, it } from "vitest";

import { asText, asTiming, inWords } from "./timing";

it("knows the choices of the dialog again, however they were written", () => {
  expect(asTiming("Every Day at 3")).toMatchObject({ often: "every day", time: "03:00" });
  expect(asTiming("every sunday at 22:30")).toMatchObject({ often: "every Sunday", time: "22:30" });
  expect(asTiming("every hour").often).toBe("every hour");
  expect(asTiming("").often).toBe("");
});

it("leaves other words as they are", () => {
  for (const text of ["0 3 * * 1-5", "every day", "on Mondays"]) {
    expect(asTiming(text)).toMatchObject({ often: "words", words: text });
    expect(asText(asTiming(text))).toBe(text);
  }
});

it("writes what the server keeps", () => {
  expect(asText({ often: "every weekday", time: "08:15", words: "" })).toBe(
    "every weekday at 08:15",
  );
  expect(asText({ often: "every hour", time: "08:15", words: "x" })).toBe("every hour");
  expect(asText({ often: "words", time: "", words: " @daily " })).toBe("@daily");
});

it("says it in words", () => {
  expect(inWords("")).toBe("No backups by themselves");
  expect(inWords("every day at 03:00")).toBe("Every day at 3:00");
  expect(inWords("@daily")).toBe("Cron: @daily");
});
