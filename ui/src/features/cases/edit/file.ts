/** Of a file as it can be sent: as base64 it is a third longer. */
export const LARGEST = 5_900_000;

/** A file's bytes, written as text. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // As a data address it is a text.
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("not readable"));
    reader.readAsDataURL(file);
  });
}
