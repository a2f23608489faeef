import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMail,
  IconPhoto,
  IconTable,
} from "@tabler/icons-react";

import { type Kind, kindOf } from "./words";

const ICONS = {
  text: IconFileText,
  pdf: IconFileTypePdf,
  picture: IconPhoto,
  table: IconTable,
  mail: IconMail,
  archive: IconFileZip,
  file: IconFile,
} satisfies Record<Kind, unknown>;

export function PaperIcon({ mediaType }: { mediaType: string | null }) {
  const Icon = ICONS[kindOf(mediaType)];
  return <Icon size={18} stroke={1.6} aria-hidden />;
}
