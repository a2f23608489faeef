import { usePageKeys } from "@/keyboard/pageKeys";

/** Presses the button of the card that has the focus, or of the page's only one; never of another. */
function press(answer: "a" | "d") {
  const card =
    document.activeElement?.closest("[data-approval]") ??
    document.querySelector("main [data-approval='alone']");
  card?.querySelector<HTMLButtonElement>(`[data-answer='${answer}']:not([disabled])`)?.click();
}

const KEYS = { a: () => press("a"), d: () => press("d") };

/** `a` allows and `d` denies. */
export function useAnswerKeys() {
  usePageKeys(KEYS);
}
