/** Another name for a file whose own is taken: `a.pdf` becomes `a (2).pdf`. */
export function numbered(path: string, number: number): string {
  const start = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const at = dot > start ? dot : path.length;
  return `${path.slice(0, at)} (${number})${path.slice(at)}`;
}
