import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";

import { withinAllowance } from "./allowance";
import type { components, paths } from "./schema";
import { wholeLists } from "./whole";

export type Schemas = components["schemas"];

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
// Here a 401 says that the password is wrong, not that a session has ended.
const LOG_IN = "/api/v1/auth/login";

let signedOut = () => {};

/** What to do when the server no longer knows the person. */
export function onSignedOut(handler: () => void) {
  signedOut = handler;
}

/** Not crypto.randomUUID: that exists on HTTPS and localhost only. */
function unique(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const label: Middleware = {
  onRequest({ request }) {
    // The same id is in the server's log and in its errors.
    request.headers.set("X-Correlation-Id", unique());
    if (!SAFE.has(request.method)) request.headers.set("Idempotency-Key", unique());
  },
};

const watchForSignOut: Middleware = {
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && schemaPath !== LOG_IN) signedOut();
  },
};

export const http = createFetchClient<paths>();
// Answers pass from the last to the first.
http.use(label, watchForSignOut, withinAllowance);

/** The same, but what is asked for without a page is read to its end. */
const whole: typeof http = { ...http, GET: wholeLists(http.GET as never) as typeof http.GET };

export const api = createQueryClient(whole);
