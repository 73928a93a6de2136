import type { ListedFile } from "./paths.ts";

/** One of several equal parts of the files: the `index`th of `count`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/3`; undefined for anything else. */
export function readShard(text: string): Shard | undefined {
  const [, index = "", count = ""] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/** The files of a shard. A file's shard depends on its path alone, not on the order in which files are named. */
export function filesOf(files: readonly ListedFile[], { index, count }: Shard): ListedFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).filter((_, at) => at % count === index - 1);
}
