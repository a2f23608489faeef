import { expect, test } from "vitest";

import { wholeLists } from "./whole";

const THINGS = ["a", "b", "c", "d", "e"];

interface Asked {
  PageSize?: number;
  ContinuationToken?: string | null;
}

/** A server with two things on its first page and as many as are asked for on others. */
function served() {
  const asked: Asked[] = [];
  const read = wholeLists((_path, init) => {
    const query = (init?.params?.query ?? {}) as Asked;
    asked.push(query);
    const start = Number(query.ContinuationToken ?? 0);
    const end = start + (query.PageSize ?? 2);
    const items = THINGS.slice(start, end);
    const continuationToken = end < THINGS.length ? String(end) : null;
    return Promise.resolve({ data: { items, continuationToken, hasMore: end < THINGS.length } });
  });
  return { asked, read };
}

test("a query that names no page gets the whole list, and keeps its filters", async () => {
  const { asked, read } = served();
  const { data } = await read("/things", { params: { query: { kind: "x" } } });
  expect(data).toEqual({ items: THINGS, continuationToken: null, hasMore: false });
  expect(asked).toEqual([{ kind: "x" }, { kind: "x", PageSize: 100, ContinuationToken: "2" }]);
});

test("a query that names a page gets that page", async () => {
  const { asked, read } = served();
  const some = await read("/things", { params: { query: { PageSize: 3 } } });
  expect(some.data).toMatchObject({ items: ["a", "b", "c"], continuationToken: "3" });
  const first = await read("/things", { params: { query: { ContinuationToken: null } } });
  expect(first.data).toMatchObject({ items: ["a", "b"], continuationToken: "2" });
  expect(asked).toHaveLength(2);
});

test("a page that cannot be read is an error, not a shorter list", async () => {
  const refused = { error: { status: 429 } };
  const read = wholeLists((_path, init) =>
    Promise.resolve(init?.params ? refused : { data: { items: ["a"], continuationToken: "1" } }),
  );
  expect(await read("/things")).toBe(refused);
});

test("what is no list is left as it is", async () => {
  const one = { data: { items: ["a"], position: 3 } };
  expect(await wholeLists(() => Promise.resolve(one))("/thing")).toBe(one);
});
