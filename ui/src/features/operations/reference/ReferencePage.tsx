import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

import { Page } from "@/components/Page";

import styles from "./ReferencePage.module.css";

const DESCRIPTION =
  "Every operation of this office, to read and to try. What you try is done for real, and as you: you are signed in.";

/** The API as Swagger shows it. */
export function ReferencePage() {
  const place = useRef<HTMLDivElement>(null);
  useDarkMode();
  useEffect(() => {
    // A place of its own each time: what is drawn there cannot be taken back.
    const domNode = place.current?.appendChild(document.createElement("div"));
    SwaggerUI({
      domNode,
      url: "/api/v1/openapi.json",
      docExpansion: "none",
      defaultModelsExpandDepth: -1,
      displayOperationId: true,
      filter: true,
      // No other site is asked whether the document is valid.
      validatorUrl: null,
    });
    return () => domNode?.remove();
  }, []);
  return (
    <Page title="API reference" description={DESCRIPTION} wide>
      <div ref={place} className={styles.reference} />
    </Page>
  );
}

/** Swagger goes by a class of the whole page. */
function useDarkMode() {
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle("dark-mode", scheme === "dark");
    return () => classList.remove("dark-mode");
  }, [scheme]);
}
