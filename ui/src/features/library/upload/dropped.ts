/** A file that is to be put somewhere, with the folders that it came in. */
export interface Dropped {
  file: File;
  path: string;
}

/** What was dropped: files, and all that is in folders. Asked at once: afterwards the browser has forgotten it. */
export async function filesIn({ items, files }: DataTransfer): Promise<Dropped[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((one) => one != null);
  if (entries.length === 0) return [...files].map((file) => ({ file, path: file.name }));
  return (await Promise.all(entries.map((entry) => beneath(entry)))).flat();
}

async function beneath(entry: FileSystemEntry, above = ""): Promise<Dropped[]> {
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) =>
      (entry as FileSystemFileEntry).file(done, failed),
    );
    return [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  // A browser gives them some at a time, and nothing at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) =>
      reader.readEntries(done, failed),
    );
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map((one) => beneath(one, `${path}/`)))).flat();
}
