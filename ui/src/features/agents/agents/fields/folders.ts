import { coversFolder, fitsAny } from "../globs";
import type { AgentValues } from "../values";

type Scope = Pick<AgentValues, "notebooks" | "folders">;

/** How a place stands in the tree. */
export interface Standing {
  isIn: boolean;
  /** Something within it is ticked. */
  isPartly: boolean;
  /** Ticked by something else: a folder above it, or a pattern. */
  isGiven: boolean;
}

/** A star in a name would be read as a pattern. */
export const canBeNamed = (path: string[]) => !path.some((name) => name.includes("*"));

const own = (path: string[]) => `${path.slice(1).join("/")}/**`;

export function standing({ notebooks, folders }: Scope, path: string[]): Standing {
  const [notebook = "", ...inner] = path;
  const isOpen = fitsAny(notebooks, notebook);
  if (inner.length === 0) {
    const isPartly = isOpen && !folders.includes("**");
    return { isIn: isOpen, isPartly, isGiven: isOpen && !notebooks.includes(notebook) };
  }
  const name = inner.join("/");
  const isGiven = isOpen && folders.some((one) => one !== own(path) && coversFolder(one, name));
  const isPartly = isOpen && folders.some((one) => one.startsWith(`${name}/`) && one !== own(path));
  return { isIn: isGiven || (isOpen && folders.includes(own(path))), isPartly, isGiven };
}

/** The scope with a place in it; what was ticked within it needs no mention any more. */
export function withPlace({ notebooks, folders }: Scope, path: string[]): Scope {
  const [notebook = "", ...inner] = path;
  const open = fitsAny(notebooks, notebook) ? notebooks : [...notebooks, notebook];
  if (inner.length === 0) return { notebooks: open, folders };
  const within = `${inner.join("/")}/`;
  return {
    notebooks: open,
    folders: [...folders.filter((one) => !one.startsWith(within)), own(path)],
  };
}

export function withoutPlace({ notebooks, folders }: Scope, path: string[]): Scope {
  const isNotebook = path.length === 1;
  return {
    notebooks: isNotebook ? notebooks.filter((one) => one !== path[0]) : notebooks,
    folders: isNotebook ? folders : folders.filter((one) => one !== own(path)),
  };
}
