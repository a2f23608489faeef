import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { draftsOf, forgetStoredDrafts } from "./drafts";

const notes = draftsOf<string>("note", { isWorthKeeping: Boolean, warns: true });
const messages = draftsOf<string>("message", { isWorthKeeping: Boolean, warns: false });

describe("a draft", () => {
  const asking = new Set<unknown>();

  beforeEach(() => {
    vi.stubGlobal("window", {
      addEventListener: (_type: string, listener: unknown) => asking.add(listener),
      removeEventListener: (_type: string, listener: unknown) => asking.delete(listener),
    });
  });
  afterEach(() => {
    for (const key of ["a", "b"]) {
      notes.keep(key, null);
      messages.keep(key, null);
    }
    vi.unstubAllGlobals();
  });

  it("is kept under its key and its kind", () => {
    notes.keep("a", "words");
    expect(notes.kept("a")).toBe("words");
    expect(notes.kept("b")).toBeUndefined();
    expect(messages.kept("a")).toBeUndefined();
  });

  it("is gone once it is dropped, or not worth keeping", () => {
    notes.keep("a", "words");
    notes.keep("a", null);
    notes.keep("b", "words");
    notes.keep("b", "");
    expect([notes.kept("a"), notes.kept("b")]).toEqual([undefined, undefined]);
  });

  it("makes the browser ask before it leaves, as long as there is one that is to be saved", () => {
    messages.keep("a", "words");
    expect(asking.size).toBe(0);
    notes.keep("a", "words");
    notes.keep("b", "words");
    notes.keep("a", null);
    expect(asking.size).toBe(1);
    notes.keep("b", null);
    expect(asking.size).toBe(0);
  });

  it("that survives is there again after a reload, until it is dropped or the person leaves", async () => {
    const room = new Map<string, string>();
    const storage = {
      getItem: (name: string) => room.get(name) ?? null,
      setItem: (name: string, text: string) => {
        room.set(name, text);
        Object.assign(storage, { [name]: text });
      },
      removeItem: (name: string) => {
        room.delete(name);
        Reflect.deleteProperty(storage, name);
      },
    };
    vi.stubGlobal("sessionStorage", storage);
    const lasting = { isWorthKeeping: Boolean, warns: false, survives: true };
    draftsOf<string>("text", lasting).keep("a", "words");
    vi.resetModules();
    const reloaded = await import("./drafts");
    expect(reloaded.draftsOf<string>("text", lasting).kept("a")).toBe("words");
    expect(reloaded.draftsOf<string>("note", lasting).kept("a")).toBeUndefined();
    forgetStoredDrafts();
    expect(room.size).toBe(0);
    draftsOf<string>("text", lasting).keep("a", null);
    expect(room.size).toBe(0);
  });
});
