import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { refreshing } from "./refreshing";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that shows what is read at a path, and how often it was read. */
function shown(client: QueryClient, queryKey: unknown[], read = () => Promise.resolve(1)) {
  const queryFn = vi.fn(read);
  new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {});
  return queryFn;
}

it("reads what is stale again, once for a burst of events, and nothing else", async () => {
  const client = new QueryClient();
  const rules = shown(client, ["get", "/api/v1/rules", {}]);
  const tried = shown(client, ["post", "/api/v1/rules/try", {}]);
  const users = shown(client, ["get", "/api/v1/users", {}]);
  await vi.runAllTimersAsync();

  const refresh = refreshing(client);
  refresh.some(["/api/v1/rules"]);
  refresh.some(["/api/v1/rules", "/api/v1/rules/try"]);
  refresh.some([]);
  await vi.runAllTimersAsync();

  expect(rules).toHaveBeenCalledTimes(2);
  expect(tried).toHaveBeenCalledTimes(2);
  expect(users).toHaveBeenCalledTimes(1);
});

it("reads everything again after a gap", async () => {
  const client = new QueryClient();
  const rules = shown(client, ["get", "/api/v1/rules"]);
  const users = shown(client, ["get", "/api/v1/users"]);
  await vi.runAllTimersAsync();
  refreshing(client).all();
  await vi.runAllTimersAsync();
  expect([rules, users].map((read) => read.mock.calls.length)).toEqual([2, 2]);
});

it("reads again what was being read for the first time: it may bring what was true before", async () => {
  const client = new QueryClient();
  const answers: ((value: number) => void)[] = [];
  const rules = shown(
    client,
    ["get", "/api/v1/rules"],
    () => new Promise((ok) => answers.push(ok)),
  );
  refreshing(client).some(["/api/v1/rules"]);
  await vi.runAllTimersAsync();
  answers[0]?.(1);
  await vi.runAllTimersAsync();
  expect(rules).toHaveBeenCalledTimes(2);
});

it("reads nothing any more once it is stopped", async () => {
  const client = new QueryClient();
  const rules = shown(client, ["get", "/api/v1/rules"]);
  await vi.runAllTimersAsync();
  const refresh = refreshing(client);
  refresh.some(["/api/v1/rules"]);
  refresh.stop();
  await vi.runAllTimersAsync();
  expect(rules).toHaveBeenCalledTimes(1);
});
