import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";

import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
// Here a 401 answers the question itself: it does not mean that a session has ended.
const ASKS_WHO = new Set(["/api/v1/auth/login", "/api/v1/auth/whoami"]);

let signedOut = () => {};

/** What to do when the server no longer knows the person. */
export function onSignedOut(handler: () => void) {
  signedOut = handler;
}

const once: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set("Idempotency-Key", crypto.randomUUID());
  },
};

const watchForSignOut: Middleware = {
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && !ASKS_WHO.has(schemaPath)) signedOut();
  },
};

export const http = createFetchClient<paths>();
http.use(once, watchForSignOut);

export const api = createQueryClient(http);
