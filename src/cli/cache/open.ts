import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Io } from "../../environment/io.ts";
import { reason } from "../../environment/reason.ts";
import { problem, type Store } from "../../host/index.ts";
import type { Staged } from "../../source/diagnostic.ts";
import { isTrusted } from "../start/place.ts";
import { version } from "../version.ts";
import { FileStore } from "./file-store.ts";

/** A folder for `--cache`, as data: it also travels to workers. */
export interface CacheFolder {
  readonly folder: string;
  /** Which ptxrun it is for. */
  readonly maker: string;
}

const user = (): number | undefined => process.getuid?.();

/** The folder that `--cache` names, made if it is not there. It must be one that nobody but the user can write in. */
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
