import type { Schemas } from "@/api/client";

import { contentOf } from "../browser/browsed";

type Answer = Schemas["FileChangeOut"];

interface Sent {
  done?: Answer;
  problem?: string;
  /** There is a file of this name. */
  isTaken?: boolean;
}

/**
 * Sends a file, and says how far it is. Not by the client that is used everywhere else: a browser tells how much of a
 * body it has sent only of this kind of request.
 */
export function send(
  workspace: string,
  path: string,
  file: File,
  onProgress: (part: number) => void,
): Promise<Sent> {
  return new Promise((answer) => {
    const request = new XMLHttpRequest();
    request.open("PUT", contentOf(workspace, path));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status < 300) return answer({ done: request.response as Answer });
      const said = request.response as Partial<Schemas["Problem"]> | null;
      const problem = said?.detail ?? "It was not taken.";
      answer({ problem, isTaken: request.status === 409 });
    };
    request.onerror = () => answer({ problem: "The server does not answer. Try again." });
    request.send(file);
  });
}
