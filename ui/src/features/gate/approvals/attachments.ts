/** A file on the card of an approval: what it is called, how large it is, and how it begins. */
export interface AttachedFile {
  name: string;
  type: string;
  size: number;
  /** Null if it is no text. */
  text: string | null;
}

/** The files that a preview names; what is not as it should be is left out. */
export function filesOf(preview: Record<string, unknown>): AttachedFile[] {
  const given = Array.isArray(preview.attachments) ? (preview.attachments as unknown[]) : [];
  return given.filter(isFile);
}

function isFile(value: unknown): value is AttachedFile {
  if (typeof value !== "object" || value === null) return false;
  const { name, type, size, text } = value as Record<string, unknown>;
  return (
    typeof name === "string" &&
    typeof type === "string" &&
    typeof size === "number" &&
    (text === null || typeof text === "string")
  );
}

/** Which files a browser shows in their place. */
export const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
