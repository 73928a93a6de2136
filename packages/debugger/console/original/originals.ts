import type { Files } from "../../../../src/environment/files.ts";
import type { Location } from "../../../../src/source/diagnostic.ts";
import { Source } from "../../../../src/source/source.ts";

/** The largest source file that is read, bytes: people write them by hand. */
const MAX_SOURCE_BYTES = 16 * 2 ** 20;

/** Parts of a path that are tried behind a folder: `a/b/c.cu`, `b/c.cu`, `c.cu`. */
const MOST_PARTS = 8;

interface Found {
  readonly source: Source;
  readonly path: string;
}

/**
 * The source programs that PTX was compiled from, as `.file` names them (PTX ISA 11.5.2). A name in a PTX file does not
 * permit reading that path: a program is searched only in the folders that the user named and beside the PTX, by as
 * much of the end of its path as exists there.
 */
export class Originals {
  readonly #files: Files;
  readonly #folders: readonly string[];
  readonly #known = new Map<string, Found | undefined>();

  /** `folders`: where to look, first to last; paths from the root. */
  constructor(files: Files, folders: readonly string[]) {
    this.#files = files;
    this.#folders = folders;
  }

  /** A program by its name in the PTX; undefined where it is not to be found. */
  find(file: string): Source | undefined {
    return this.#found(file)?.source;
  }

  /** Where it was found: a path from the root. */
  path(file: string): string | undefined {
    return this.#found(file)?.path;
  }

  /** The text of a line without blanks around it; undefined where there is none. */
  text({ file, line }: Pick<Location, "file" | "line">): string | undefined {
    const text = this.find(file)?.line(line).trim();
    return text === "" ? undefined : text;
  }

  #found(file: string): Found | undefined {
    if (!this.#known.has(file)) this.#known.set(file, this.#search(file));
    return this.#known.get(file);
  }

  #search(file: string): Found | undefined {
    const parts = file.split(/[/\\]+/).filter((part) => part !== "" && part !== ".");
    if (parts.length === 0 || parts.includes("..") || file.includes("\0")) return undefined;
    for (const folder of this.#folders)
      for (let from = Math.max(0, parts.length - MOST_PARTS); from < parts.length; from++) {
        const path = this.#files.resolve(folder, ...parts.slice(from));
        const read = this.#files.read(path, MAX_SOURCE_BYTES, { pipes: false, exact: false });
        if ("bytes" in read) return { source: new Source(nameOf(file), new TextDecoder().decode(read.bytes)), path };
      }
    return undefined;
  }
}

/** The last part of a path, as people call a file. */
export const nameOf = (file: string): string => file.split(/[/\\]/).at(-1) ?? file;
