import { type DragEvent, useState } from "react";

import { http, type Schemas } from "@/api/client";
import { notify } from "@/components/notify";

export type Upload = Schemas["SessionUploadOut"];

export const MOST_FILES = 10;
const MOST_BYTES = 10 * 1024 * 1024;

/** The files that go with the next message. They are sent as soon as they are chosen. */
export function useAttachments() {
  const [files, setFiles] = useState<Upload[]>([]);
  const [waiting, setWaiting] = useState<string[]>([]);
  const [isOver, setOver] = useState(false);
  const add = async (chosen: File[]) => {
    if (files.length + chosen.length > MOST_FILES) {
      notify.failed(`A message takes ${MOST_FILES} files at most.`);
      return;
    }
    setWaiting((names) => [...names, ...chosen.map(nameOf)]);
    for (const file of chosen) {
      const made = await sent(file);
      if (made) setFiles((known) => [...known, made]);
      setWaiting((names) => names.toSpliced(names.indexOf(nameOf(file)), 1));
    }
  };
  return {
    files,
    waiting,
    sending: waiting.length > 0,
    add,
    /** For what files are dropped on. */
    dropping: {
      "data-dropping": isOver || undefined,
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        void add([...event.dataTransfer.files]);
      },
    },
    remove: (id: string) => setFiles((known) => known.filter((file) => file.id !== id)),
    clear: () => setFiles([]),
  };
}

async function sent(file: File): Promise<Upload | undefined> {
  if (file.size > MOST_BYTES) {
    notify.failed(`${file.name} is larger than 10 MB. Choose a smaller one.`);
    return undefined;
  }
  const { data, error } = await http.POST("/api/v1/sessions/uploads", {
    params: { query: { name: nameOf(file) } },
    // The generated type knows binary bodies as strings.
    body: file as unknown as string,
    bodySerializer: (body) => body as unknown as BodyInit,
    headers: { "Content-Type": "application/octet-stream" },
  });
  if (error) notify.failed(`${file.name} was not taken: it ${why(error)}.`);
  return data;
}

/** The server says what is wrong with the file itself. */
function why(error: unknown): string {
  const fields = (error as { errors?: Record<string, string[]> }).errors;
  return fields?.body?.[0] ?? "could not be sent";
}

/** A name that every server takes; a picture from the clipboard has none of its own. */
// eslint-disable-next-line no-control-regex
const nameOf = ({ name }: File) => name.replace(/[\u0000-\u001f/\\]/g, "_").slice(0, 200) || "file";
