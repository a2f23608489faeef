/** The reactions that are offered, by the names under which they are kept. */
export const EMOJI: Record<string, string> = {
  thumbsup: "👍",
  thumbsdown: "👎",
  heart: "❤️",
  tada: "🎉",
  smile: "😄",
  thinking_face: "🤔",
  eyes: "👀",
  white_check_mark: "✅",
};

/** As it is shown; one that is not known here by its name. */
export const shownEmoji = (name: string) => EMOJI[name] ?? `:${name}:`;
