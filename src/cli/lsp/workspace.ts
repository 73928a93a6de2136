import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as protocol from "vscode-languageserver-protocol";
import { Document, symbols } from "../../../packages/lsp/src/index.ts";
import { symbolOf } from "./convert.ts";
import type { Opened } from "./features.ts";

/** Files that are read, bytes of all, folders that are gone into, and answers: an editor asks at each key. */
const MOST_FILES = 500;
const MOST_BYTES = 2 ** 25;
const MOST_FOLDERS = 2000;
const MOST_FOUND = 1000;

type Found = protocol.SymbolInformation;

/** The names of all texts of a client's folders: kernels, functions, variables and golden checks. */
export class Workspace {
  folders: readonly string[] = [];
  readonly #known = new Map<string, { readonly changed: number; readonly found: readonly Found[] }>();

  /** Those that have the letters of the query in their order, as editors want them; what is open is as it is there. */
  symbols(query: string, open: ReadonlyMap<string, Opened>): readonly Found[] {
    const letters = [...query.toLowerCase()];
    let room = MOST_BYTES;
    const opened = [...open].flatMap(([uri, { document }]) => namesOf(uri, document));
    const closed = this.#files().flatMap((path) => {
      const uri = pathToFileURL(path).href;
      if (open.has(uri)) return [];
      const { bytes, found } = this.#read(path, uri, room);
      room -= bytes;
      return found;
    });
    return [...opened, ...closed].filter(({ name }) => hasInOrder(name.toLowerCase(), letters)).slice(0, MOST_FOUND);
  }

  #files(): readonly string[] {
    const files: string[] = [];
    const left = [...this.folders];
    for (let seen = 0; left.length > 0 && seen < MOST_FOLDERS && files.length < MOST_FILES; seen++) {
      const folder = left.shift() ?? "";
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !/^(?:\.|node_modules$)/.test(entry.name)) left.push(path);
        else if (entry.isFile() && entry.name.endsWith(".ptx") && files.length < MOST_FILES) files.push(path);
      }
    }
    return files;
  }

  /** The names of a file, if it has not more bytes than there is room for. */
  #read(path: string, uri: string, room: number): { readonly bytes: number; readonly found: readonly Found[] } {
    try {
      const { mtimeMs: changed, size: bytes } = statSync(path);
      if (bytes > room) return { bytes: 0, found: [] };
      const known = this.#known.get(path);
      if (known?.changed === changed) return { bytes, found: known.found };
      const found = namesOf(uri, new Document(uri, readFileSync(path, "utf8")));
      this.#known.set(path, { changed, found });
      return { bytes, found };
    } catch {
      // It is gone since its folder was read.
      return { bytes: 0, found: [] };
    }
  }
}

/** The folders that a client has open. */
export function foldersIn(params: Partial<protocol.InitializeParams> | undefined): readonly string[] {
  const { workspaceFolders, rootUri } = params ?? {};
  const uris = Array.isArray(workspaceFolders) ? workspaceFolders.map((each) => each?.uri) : [rootUri];
  return uris.flatMap((uri) => {
    try {
      return typeof uri === "string" && uri.startsWith("file:") ? [fileURLToPath(uri)] : [];
    } catch {
      return [];
    }
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

const namesOf = (uri: string, document: Document): readonly Found[] =>
  document.kind === "vISA"
    ? []
    : symbols(document, { inside: false }).map((each): Found => {
        const { name, kind, selectionRange: range } = symbolOf(document, each);
        return { name, kind, location: { uri, range } };
      });

/** Whether a name has letters in this order, with others between. */
function hasInOrder(name: string, letters: readonly string[]): boolean {
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
