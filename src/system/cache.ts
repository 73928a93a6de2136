import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Io } from "../environment/io.ts";
import { reason } from "../environment/reason.ts";
import { problem, type Store, type StoreKey } from "../host/index.ts";
import type { Staged } from "../source/diagnostic.ts";
import { pack, unpack } from "./container.ts";
import { isOwn, isTrusted } from "./place.ts";
import { plain } from "./plain.ts";
import { version } from "./version.ts";

/** Bytes of a file that is read or written. */
const LARGEST = 64 * 2 ** 20;
/** Files and bytes that a folder holds, about. */
const MOST_FILES = 4096;
const MOST_BYTES = 512 * 2 ** 20;
/** Seconds after which a file that is used is marked as used again. */
const DAY = 86_400;
/** Changes with the format of the values. */
const FORM = "1";

/** The limits on a folder, beyond which the oldest files are removed. */
interface Room {
  readonly files: number;
  readonly bytes: number;
}

/**
 * A folder of files, one a value, whose names are made of all that the value depends on: the text and the options, ptxrun
 * and Node. Whatever is wrong with a file means that it is not there: values decide what runs, so a file counts only if
 * nobody but the user could have written it, if it is whole, and if it says itself what it is for.
 *
 * Files are written under another name first, so that any number of processes may share a folder.
 */
export class FileStore implements Store {
  readonly #folder: string;
  readonly #maker: string;
  readonly #user: number | undefined;
  readonly #room: Room;
  /** The last requested text, and its digest: a module's declarations are requested first, then a kernel. */
  #last: readonly [text: string, digest: Uint8Array] = ["", digestOf("")];

  /** `maker` identifies what made the values: the exact build of ptxrun. */
  constructor(
    folder: string,
    maker: string,
    user: number | undefined,
    room: Room = { files: MOST_FILES, bytes: MOST_BYTES },
  ) {
    this.#folder = folder;
    this.#maker = maker;
    this.#user = user;
    this.#room = room;
  }

  get(key: StoreKey): unknown {
    const name = this.#nameOf(key);
    const bytes = this.#read(this.#pathOf(name));
    if (bytes === undefined) return undefined;
    try {
      const [whose, value] = unpack(bytes) ?? [];
      if (whose === undefined || value === undefined || Buffer.compare(name, whose) !== 0) return undefined;
      const found: unknown = deserialize(value);
      return typeof found === "object" && found !== null ? found : undefined;
    } catch {
      return undefined;
    }
  }

  set(key: StoreKey, value: unknown): void {
    const name = this.#nameOf(key);
    const path = this.#pathOf(name);
    const temporary = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      if (!isTrusted(this.#folder, this.#user)) return;
      const bytes = pack([name, plain(serialize(value))]);
      if (bytes.length > LARGEST) return;
      writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600 });
      renameSync(temporary, path);
      // Only now and then: scanning all files takes time.
      if ((name[0] ?? 0) < 16) this.#trim();
    } catch {
      // A full disk, a removed folder, or a value that is no data: continue without.
      rmSync(temporary, { force: true });
    }
  }

  #nameOf({ text, words }: StoreKey): Uint8Array {
    if (text !== this.#last[0]) this.#last = [text, digestOf(text)];
    return digestOf(JSON.stringify([FORM, this.#maker, process.version, ...words]), this.#last[1]);
  }

  #pathOf(name: Uint8Array): string {
    return join(this.#folder, `${Buffer.from(name).toString("hex")}.ptxrun`);
  }

  #read(path: string): Uint8Array | undefined {
    let file: number | undefined;
    try {
      // Not through a link, and nonblocking, in case it is a pipe.
      file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > LARGEST || !isOwn(stats, this.#user)) return undefined;
      const now = Date.now() / 1000;
      if (now - stats.mtimeMs / 1000 > DAY) futimesSync(file, now, now);
      return plain(readFileSync(file));
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Removes the least recently used files. */
  #trim(): void {
    const ours = readdirSync(this.#folder).filter((name) => /^[0-9a-f]{64}\.ptxrun(?:\.[0-9a-f]{12})?$/.test(name));
    const aged = ours.flatMap((name) => {
      const path = join(this.#folder, name);
      // Another process may remove it at the same moment.
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, time: stats.mtimeMs, bytes: stats.size }];
    });
    aged.sort((one, other) => other.time - one.time);
    let bytes = 0;
    for (const [at, each] of aged.entries()) {
      bytes += each.bytes;
      if (at >= this.#room.files || bytes > this.#room.bytes) rmSync(each.path, { force: true });
    }
  }
}

function digestOf(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return plain(hash.digest());
}

/** A folder for `--cache`, as data: it also travels to workers. */
export interface CacheFolder {
  readonly folder: string;
  /** The build of ptxrun that it is for. */
  readonly maker: string;
}

const user = (): number | undefined => process.getuid?.();

/** The folder of `--cache`, created if missing. Only the user may be able to write in it. */
export function cacheFolder(named: string, { cwd, build }: Pick<Io, "cwd" | "build">): Staged<CacheFolder | undefined> {
  const folder = resolve(cwd, named);
  const wrong = (why: string, help: string) => {
    const diagnostic = problem("PTX2003", `--cache ${named}: ${why}`, {
      expected: "a folder of your own",
      help: [{ message: help }],
    });
    return { value: undefined, diagnostics: [diagnostic] };
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return wrong(reason(error), "name a folder that can be made, or that is there");
  }
  if (!isTrusted(folder, user()))
    return wrong("somebody else can write there", "what lies there decides what runs: take one with `chmod go-w`");
  return { value: { folder, maker: build ?? version }, diagnostics: [] };
}

/** `--cache` with what opens it; nothing without the option. */
export function withCache<Options extends { readonly cache?: string }>(
  options: Options,
  io: Io,
): Staged<(Options & { readonly store?: Store }) | undefined> {
  if (options.cache === undefined) return { value: options, diagnostics: [] };
  const { value, diagnostics } = cacheFolder(options.cache, io);
  return { value: value && { ...options, store: storeIn(value) }, diagnostics };
}

const opened = new Map<string, Store>();

/** The store in a folder, one in each thread. */
export function storeIn({ folder, maker }: CacheFolder): Store {
  const key = JSON.stringify([folder, maker]);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const store = new FileStore(folder, maker, user());
  opened.set(key, store);
  return store;
}
