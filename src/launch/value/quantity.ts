/** Sizes, times and extents of options; `undefined` when the text is not one. */

const K: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["K", 2 ** 10],
  ["M", 2 ** 20],
  ["G", 2 ** 30],
]);

/** Bytes: `4096`, `48K`, `1G` (powers of 1024; a `B` or `iB` after changes nothing). */
export function readBytesCount(text: string): number | undefined {
  const found = /^(0x[\da-f]+|\d+)([KMG]?)(?:i?B)?$/i.exec(text);
  const value = Number(found?.[1]) * (K.get((found?.[2] ?? "").toUpperCase()) ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A count: `1000`, `100M` (powers of 1000). */
export function readCount(text: string): number | undefined {
  const found = /^(\d+)([KMG]?)$/i.exec(text);
  const power = "KMG".indexOf((found?.[2] ?? "").toUpperCase() || "-") + 1;
  const value = Number(found?.[1]) * 1000 ** power;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Milliseconds: `500ms`, `10s`, `2m`; seconds without a unit. */
export function readTime(text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  const unit = { ms: 1, s: 1000, m: 60_000 }[found?.[2] ?? "s"] ?? 1000;
  return found === null ? undefined : Number(found[1]) * unit;
}

/** `X[,Y[,Z]]`, whole numbers. */
export function readExtent(text: string): readonly [number, number, number] | undefined {
  const found = /^(\d+)(?:,(\d+))?(?:,(\d+))?$/.exec(text);
  return found === null ? undefined : [Number(found[1]), Number(found[2] ?? 1), Number(found[3] ?? 1)];
}

/** `all`, or the linear indices of a block and of a thread in it: `0/5`. */
export function readThread(text: string): "all" | readonly [block: number, thread: number] | undefined {
  if (text === "all") return "all";
  const found = /^(\d+)\/(\d+)$/.exec(text);
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}

/** The most threads that a user may request: each has a copy of the memory that it touches. */
const MOST_JOBS = 64;

/** `auto`, or how many threads. */
export function readJobs(text: string): number | "auto" | undefined {
  if (text === "auto") return text;
  const jobs = Number(text);
  return /^\d+$/.test(text) && jobs >= 1 && jobs <= MOST_JOBS ? jobs : undefined;
}
