interface Page {
  items: unknown[];
  continuationToken: string | null;
}

interface Init {
  params?: { query?: Record<string, unknown> };
}

interface Answer {
  data?: unknown;
  error?: unknown;
}

type Read = (path: string, init?: Init) => Promise<Answer>;

/** As many as a page may have: the fewer pages, the sooner a list is whole. */
const SIZE = 100;

/**
 * Reads a list to its end unless the query names a page itself.
 *
 * Selects and settings show all there is, and a list that nobody asked to be cut is not.
 */
export function wholeLists(read: Read): Read {
  return async (path, init) => {
    const first = await read(path, init);
    if (namesPage(init) || !isPage(first.data)) return first;
    const items = [...first.data.items];
    let token = first.data.continuationToken;
    while (token) {
      const next = await read(path, after(token, init));
      if (!isPage(next.data)) return next;
      items.push(...next.data.items);
      token = next.data.continuationToken;
    }
    return { ...first, data: { ...first.data, items, continuationToken: null, hasMore: false } };
  };
}

function namesPage(init: Init | undefined): boolean {
  const query = init?.params?.query ?? {};
  return "PageSize" in query || "ContinuationToken" in query;
}

function isPage(data: unknown): data is Page {
  return typeof data === "object" && data !== null && "continuationToken" in data;
}

function after(token: string, init: Init = {}): Init {
  const query = { ...init.params?.query, PageSize: SIZE, ContinuationToken: token };
  return { ...init, params: { ...init.params, query } };
}
