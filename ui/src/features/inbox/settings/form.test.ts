import { describe, expect, it } from "vitest";

import { patchOf, valuesOf } from "./form";

const SETTINGS = {
  workspaceId: "wsp-1",
  agentEnabled: true,
  autoOrganize: true,
  minConfidence: 0.7,
  neverTouch: [],
  newFolders: false,
  agentId: null,
  modelId: null,
  maxTurns: 10,
  timeLimitSeconds: 60,
  maxTokens: 4096,
};

describe("the settings of an inbox", () => {
  const before = valuesOf(SETTINGS);

  it("send only what was changed, in the server's units", () => {
    expect(patchOf(before, before)).toEqual({});
    expect(patchOf({ ...before, minConfidence: 85 }, before)).toEqual({ minConfidence: 0.85 });
  });

  it("send an empty field as nothing", () => {
    const chosen = { ...before, modelId: "mdl-1" };
    expect(patchOf({ ...chosen, modelId: "", maxTokens: "" }, chosen)).toEqual({
      modelId: null,
      maxTokens: null,
    });
  });
});
