import { type DragEvent, useState } from "react";

import { type Dropped, filesIn } from "./dropped";

/** Puts files into a folder. */
export type Put = (folder: string, files: Dropped[]) => void;

/** What makes an element a place to drop files on, which go into this folder; nothing without a folder or a right. */
export function useDrop(folder: string, put: Put | undefined) {
  const [isOver, setOver] = useState(false);
  if (!put || !folder) return {};
  const takes = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    "data-over": isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      // The innermost folder gets it.
      event.stopPropagation();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!takes(event)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      void filesIn(event.dataTransfer).then((files) => files.length > 0 && put(folder, files));
    },
  };
}
