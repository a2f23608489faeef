import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  PasswordInput,
  Tooltip,
} from "@mantine/core";

import { focusHeading } from "@/keyboard/focus";

const accent: MantineColorsTuple = [
  "#eef1fc",
  "#dce2f7",
  "#b6c2ee",
  "#93a5e8",
  "#7189e0",
  "#5670d6",
  "#4a64cf",
  "#4059c4",
  "#354cae",
  "#2a3e93",
];

function keepFocus() {
  // Mantine gives the focus back a moment later, where it can.
  window.setTimeout(() => {
    if (document.activeElement === document.body) focusHeading();
  }, 50);
}

export const theme = createTheme({
  colors: { accent },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "sm",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  components: {
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: "md",
        overlayProps: { backgroundOpacity: 0.4 },
        // Whatever opened it may be gone by then, and the focus with it.
        onExitTransitionEnd: keepFocus,
        transitionProps: { duration: 120 },
        closeButtonProps: { "aria-label": "Close" },
        // A dialog's header is not another banner of the page.
        attributes: { header: { role: "presentation" } },
      },
      styles: { title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)" } },
    }),
    Menu: Menu.extend({
      // Its empty first child is not allowed in a menu; the first item takes the focus instead.
      defaultProps: { withInitialFocusPlaceholder: false },
    }),
    PasswordInput: PasswordInput.extend({
      defaultProps: {
        visibilityToggleButtonProps: { "aria-label": "Show or hide the password", tabIndex: 0 },
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } },
    }),
  },
});

/** Text colours with enough contrast on both backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#596068",
    "--mantine-color-placeholder": "#6b7279",
    "--mantine-color-error": "#b42318",
    "--mantine-color-anchor": accent[7],
    "--mantine-color-accent-light": accent[0],
    "--mantine-color-accent-light-hover": accent[1],
    "--mantine-color-accent-light-color": accent[8],
    "--bw-surface": "#f8f9fa",
    "--bw-allowed": "#2b8a3e",
    "--bw-asks": "#b35c00",
    "--bw-blocked": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": "#a6a9ae",
    "--mantine-color-placeholder": "#94979c",
    "--mantine-color-error": "#ff9b93",
    "--mantine-color-anchor": accent[3],
    "--mantine-color-accent-light": "rgba(113, 137, 224, 0.16)",
    "--mantine-color-accent-light-hover": "rgba(113, 137, 224, 0.24)",
    "--mantine-color-accent-light-color": accent[2],
    "--bw-surface": "#1f1f1f",
    "--bw-allowed": "#69db7c",
    "--bw-asks": "#ffc078",
    "--bw-blocked": "#ff8787",
  },
});
