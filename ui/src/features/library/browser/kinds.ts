const ENDINGS = {
  archive: "zip tar gz tgz bz2 xz 7z rar",
  code: "c cc cpp cs css go h hpp html java js json jsx kt lua php pl py rb rs sh sql swift toml ts tsx xml yaml yml ini cfg svg",
  document: "doc docx odt rtf pages epub",
  mail: "eml msg mbox",
  pdf: "pdf",
  picture: "png jpg jpeg gif webp heic heif tif tiff bmp avif",
  sound: "mp3 wav ogg flac m4a aac opus",
  table: "xls xlsx ods csv tsv numbers",
  text: "txt md markdown rst org log tex",
  video: "mp4 mkv mov webm avi",
};

export type FileKind = keyof typeof ENDINGS | "other";

const KINDS = new Map(
  Object.entries(ENDINGS).flatMap(([kind, endings]) =>
    endings.split(" ").map((ending) => [ending, kind as FileKind]),
  ),
);

/** What kind of file it is, as its name says: to show it with a sign, and code as code. */
export function kindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return KINDS.get(ending) ?? "other";
}
