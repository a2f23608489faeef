import { memo } from "react";

import { Visible } from "@/features/gate/shared/Untrusted";

import { type Block, blocks } from "./blocks";
import { Code } from "./Code";
import { type Inline, inline, webAddress } from "./inline";
import styles from "./Markdown.module.css";

/**
 * What an agent wrote, with its lists and its emphasis. Everything becomes an element of ours: nothing of the text is
 * taken for HTML, nothing is loaded, and a link leads to the web and says where.
 */
export const Markdown = memo(function Markdown({ children }: { children: string }) {
  return (
    <div className={styles.text} dir="auto">
      <Blocks of={blocks(children)} />
    </div>
  );
});

function Blocks({ of: found }: { of: Block[] }) {
  return found.map((block, index) => <Part key={index} of={block} />);
}

function Part({ of: block }: { of: Block }) {
  switch (block.kind) {
    case "paragraph":
      return (
        <p>
          <Line>{block.text}</Line>
        </p>
      );
    case "heading":
      // Not a heading of the page: the page has its own.
      return (
        <p className={styles.heading}>
          <Line>{block.text}</Line>
        </p>
      );
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "quote":
      return (
        <blockquote>
          <Blocks of={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List of={block} />;
    case "table":
      return <Table head={block.head} rows={block.rows} />;
    case "rule":
      return <hr />;
  }
}

function List({ of: { ordered, start, items } }: { of: Extract<Block, { kind: "list" }> }) {
  const inside = items.map((item, index) => (
    <li key={index}>
      <Blocks of={item} />
    </li>
  ));
  return ordered ? <ol start={start}>{inside}</ol> : <ul>{inside}</ul>;
}

function Table({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <div className={styles.table} role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                <Line>{cell}</Line>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {head.map((_, column) => (
                <td key={column}>
                  <Line>{row[column] ?? ""}</Line>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ children }: { children: string }) {
  return <Pieces of={inline(children)} />;
}

function Pieces({ of: parts }: { of: Inline[] }) {
  return parts.map((part, index) => <Piece key={index} of={part} />);
}

function Piece({ of: part }: { of: Inline }) {
  switch (part.kind) {
    case "text":
      return <Visible>{part.text}</Visible>;
    case "code":
      return (
        <code>
          <Visible>{part.text}</Visible>
        </code>
      );
    case "strong":
      return (
        <strong>
          <Pieces of={part.parts} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Pieces of={part.parts} />
        </em>
      );
    case "link":
      return <WebLink href={part.href} parts={part.parts} />;
  }
}

/** A way out. Its words may say one thing and its address another, so the address's host stands beside it. */
function WebLink({ href, parts }: { href: string; parts: Inline[] }) {
  const { host } = new URL(href);
  const says = parts.map((part) => ("text" in part ? part.text : "")).join("");
  const isPlain = webAddress(says) === href;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        <Pieces of={parts} />
      </a>
      {!isPlain && <span className={styles.host}> ({host})</span>}
    </>
  );
}
