import type { Middleware } from "openapi-fetch";

const READS = "read-operations";
const FEW = 150;
const TURNS = 6;
const LONGEST = 10;

let left = Infinity;

/** Whether so much was read of late that what can wait should. */
export const isTight = () => left < FEW;

/** Reads again when the server says that it was too much at once, and as soon as it says so. */
export const withinAllowance: Middleware = {
  async onResponse({ request, response }) {
    let answer = response;
    for (let turn = 0; turn < TURNS && answer.status === 429 && request.method === "GET"; turn++) {
      const seconds = Number(answer.headers.get("Retry-After") ?? 1);
      if (seconds > LONGEST) break;
      // Not all of a page at the same moment.
      await pause(1000 * (seconds + turn * Math.random()));
      answer = await fetch(request);
    }
    const { headers } = answer;
    if (headers.get("X-RateLimit-Category") === READS) {
      left = Number(headers.get("X-RateLimit-Remaining"));
    }
    return answer;
  },
};

const pause = (milliseconds: number) =>
  new Promise((resolve) => window.setTimeout(resolve, milliseconds));
