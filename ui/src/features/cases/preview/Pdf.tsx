import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { Held } from "./content";
import { Download } from "./Download";
import styles from "./Preview.module.css";

/**
 * A PDF in the browser's own viewer. Its bytes are given to it as a PDF and as nothing else, so that whatever they are,
 * they are never taken for a page of ours. A browser without a viewer offers the file.
 */
export function Pdf({ held }: { held: Held }) {
  const bytes = useQuery({ ...held.bytes, enabled: navigator.pdfViewerEnabled });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes.data) return;
    const made = URL.createObjectURL(new Blob([bytes.data], { type: "application/pdf" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes.data]);
  if (!navigator.pdfViewerEnabled || bytes.error) return <Download held={held} />;
  if (!address) return <Loader size="sm" aria-label="Loading" />;
  return <iframe className={styles.pdf} title={held.title} src={`${address}#navpanes=0`} />;
}
