import { PLACES } from "@/routes/navigation";

const apple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What Ctrl is called on this keyboard. */
export const MOD = apple ? "⌘" : "Ctrl";

interface Key {
  keys: string[];
  /** "then": one after the other. Otherwise together. */
  joined?: "then";
  does: string;
}

/** What the keyboard does, for the help dialog. */
export const KEYS: { title: string; keys: Key[] }[] = [
  {
    title: "Anywhere",
    keys: [
      { keys: [MOD, "K"], does: "Search, jump and do" },
      { keys: ["?"], does: "Show this help" },
      { keys: ["/"], does: "Go to the page's filter" },
      { keys: ["z"], does: "Undo what the notice is about" },
      { keys: ["Esc"], does: "Close what is open" },
    ],
  },
  {
    title: "In lists",
    keys: [
      { keys: ["j"], does: "Next row" },
      { keys: ["k"], does: "Row before" },
      { keys: ["Enter"], does: "Open the row, or go to its buttons" },
    ],
  },
  {
    title: "In approvals",
    keys: [
      { keys: ["a"], does: "Allow what the focus is on" },
      { keys: ["d"], does: "Deny it" },
    ],
  },
  {
    title: "In mail",
    keys: [
      { keys: ["e"], does: "Archive what is open, or the row" },
      { keys: ["r"], does: "Reply" },
      { keys: ["R"], does: "Reply to all" },
      { keys: ["u"], does: "Mark as unread" },
      { keys: ["c"], does: "New mail" },
    ],
  },
  {
    title: "In results",
    keys: [
      { keys: ["→"], does: "Unfold; ← folds" },
      { keys: ["c"], does: "Copy the item" },
      { keys: ["r"], does: "Send the item as reply" },
      { keys: ["e"], does: "Edit the item" },
      { keys: ["m"], does: "Show the mail beside it" },
      { keys: ["x"], does: "Select the row" },
      { keys: ["Del"], does: "Delete it, or what is selected" },
    ],
  },
  {
    title: "In the inbox",
    keys: [
      { keys: ["a"], does: "Move the paper, or what is selected" },
      { keys: ["d"], does: "Keep it in the inbox" },
      { keys: ["f"], does: "Choose a folder for it" },
      { keys: ["x"], does: "Select it; X selects all" },
    ],
  },
  {
    title: "Jump",
    keys: PLACES.filter(({ key }) => key).map(({ key, label }) => ({
      keys: ["g", key ?? ""],
      joined: "then",
      does: label,
    })),
  },
];
