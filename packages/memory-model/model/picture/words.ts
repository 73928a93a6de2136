import type { Location, Placement } from "../event.ts";
import type { Forbidden, RelationName } from "../outcome.ts";

/** The meaning of an arrow: a relation of the model, a step that only a forbidding cycle has, or the return of a loop. */
export type ArrowName = RelationName | Forbidden["cycle"][number]["by"] | "loop";

/** All arrows, in the order in which they are listed: the meaning of `from -> to`, and the section of the manual. */
export const arrowWords: Readonly<Record<ArrowName, { readonly means: string; readonly section: string }>> = {
  po: { means: "program order: one after the other in one thread", section: "8.9.1" },
  rf: { means: "reads from: a write, and a read that returns its value", section: "8.9.7" },
  co: { means: "coherence order: the later write replaces the earlier", section: "8.9.6" },
  fr: { means: "from reads: a read, and a write that replaces what it returned", section: "8.9.7" },
  sw: { means: "synchronizes with: a release and its acquire, or a barrier", section: "8.9.4" },
  sc: { means: "Fence-SC order: of fences that all agree on", section: "8.9.3" },
  cause: { means: "causality order: the first is done before the second", section: "8.9.5" },
  dep: { means: "dependency: the second needs what the first returned", section: "8.10.4" },
  rmw: { means: "read and write of one atomic operation", section: "8.10.3" },
  loop: { means: "back to the first of the round that repeats for ever", section: "weak fairness" },
};

export const arrowNames = Object.keys(arrowWords) as readonly ArrowName[];

/** `b`, and after `z` comes `aa`: the name of the `index`-th event. */
export const letter = (index: number): string =>
  (index >= 26 ? letter(Math.floor(index / 26) - 1) : "") + String.fromCharCode(97 + (index % 26));

/** Numbers up to a million in decimals, others (patterns and addresses, mostly) in hexadecimals. */
export const number = (value: bigint): string => (value <= 1_000_000n ? `${value}` : `0x${value.toString(16)}`);

export const holds = (location: Location, value: bigint): string => `${plain(location.name)} = ${number(value)}`;

/**
 * Text of the input on one line: runs of blanks become one, and characters that could reorder or hide other text
 * become `?`.
 */
export const plain = (text: string): string => text.replace(/\s+/g, " ").trim().replace(unsafe, "?");

const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]|[\ud800-\udfff]/gu;

/**
 * Where a thread runs, as far as that distinguishes threads of one test: its block always, its cluster where some
 * cluster has several blocks, its device where there are several.
 */
export function placeWords(placement: Placement, all: readonly Placement[]): string {
  const words = [`block ${placement.block}`];
  if (clustersMatter(all)) words.push(`cluster ${placement.cluster}`);
  if (devicesMatter(all)) words.push(`device ${placement.gpu}`);
  return words.join(", ");
}

export const sameCluster = (a: Placement, b: Placement): boolean => a.gpu === b.gpu && a.cluster === b.cluster;

export const clustersMatter = (all: readonly Placement[]): boolean =>
  all.some((a) => all.some((b) => sameCluster(a, b) && a.block !== b.block));

export const devicesMatter = (all: readonly Placement[]): boolean => all.some(({ gpu }) => gpu !== all[0]?.gpu);

/**
 * A line folded to `width` characters at blanks, or within a word after one of `.,]_` or where nothing else is left;
 * lines after the first begin with `indent` blanks. Blanks at the start stay.
 */
export function wrapped(line: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const cut = cutOf(rest, width, lines.length === 0 ? line.length - line.trimStart().length : indent);
    lines.push(rest.slice(0, cut).trimEnd());
    rest = " ".repeat(indent) + rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}

function cutOf(line: string, width: number, start: number): number {
  const blank = line.lastIndexOf(" ", width);
  if (blank > start) return blank;
  // A modifier begins with its dot, so the fold is before it.
  const dot = line.lastIndexOf(".", width - 1);
  if (dot > start) return dot;
  const half = width - (/[\ud800-\udbff]/.test(line[width - 1]!) ? 1 : 0);
  return Math.max(half, start + 2);
}
