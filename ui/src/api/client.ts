import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";

import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
// Here a 401 says that the password is wrong, not that a session has ended.
const LOG_IN = "/api/v1/auth/login";

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
    if (response.status === 401 && schemaPath !== LOG_IN) signedOut();
  },
};

export const http = createFetchClient<paths>();
http.use(once, watchForSignOut);

export const api = createQueryClient(http);
