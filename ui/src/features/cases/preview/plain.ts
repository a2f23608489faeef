import { type Block, blocks } from "@/markdown/blocks";
import { type Inline, inline } from "@/markdown/inline";

/** Markdown as someone would have typed it into a mail. */
export function plain(markdown: string): string {
  return lines(blocks(markdown)).join("\n\n");
}

/** The words of a page that the server has cleaned; it is shown nowhere. */
export function ofPage(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll("script, style, template, title").forEach((one) => one.remove());
  page.querySelectorAll("br").forEach((one) => one.replaceWith("\n"));
  page.querySelectorAll("p, div, h1, h2, h3, h4, li, tr").forEach((one) => one.append("\n"));
  return page.body.textContent
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function lines(parts: Block[]): string[] {
  return parts.map((part) => {
    switch (part.kind) {
      case "paragraph":
      case "heading":
        return said(part.text);
      case "code":
        return part.text;
      case "quote":
        return lines(part.blocks)
          .join("\n\n")
          .split("\n")
          .map((line) => `> ${line}`.trimEnd())
          .join("\n");
      case "list":
        return part.items
          .map((item, index) => {
            const mark = part.ordered ? `${part.start + index}. ` : "- ";
            const inside = lines(item).join("\n").split("\n");
            return mark + inside.join(`\n${" ".repeat(mark.length)}`);
          })
          .join("\n");
      case "table":
        return [part.head, ...part.rows].map((row) => row.map(said).join("  ")).join("\n");
      case "rule":
        return "---";
    }
  });
}

const said = (text: string) => inline(text).map(word).join("");

function word(part: Inline): string {
  switch (part.kind) {
    case "text":
    case "code":
      return part.text;
    case "link": {
      const words = part.parts.map(word).join("");
      return words === part.href || `${words}/` === part.href ? words : `${words} (${part.href})`;
    }
    default:
      return part.parts.map(word).join("");
  }
}
