import {
  IconFile,
  IconFileCode,
  IconFileMusic,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypeDocx,
  IconFileTypePdf,
  IconFileZip,
  IconMail,
  IconMovie,
  IconPhoto,
} from "@tabler/icons-react";

import { type FileKind, kindOf } from "./kinds";

const ICONS: Record<FileKind, typeof IconFile> = {
  archive: IconFileZip,
  code: IconFileCode,
  document: IconFileTypeDocx,
  mail: IconMail,
  pdf: IconFileTypePdf,
  picture: IconPhoto,
  sound: IconFileMusic,
  table: IconFileSpreadsheet,
  text: IconFileText,
  video: IconMovie,
  other: IconFile,
};

/** What kind of file it is, as its name says. */
export function FileIcon({ path }: { path: string }) {
  const Icon = ICONS[kindOf(path)];
  return <Icon size={18} stroke={1.5} aria-hidden />;
}
