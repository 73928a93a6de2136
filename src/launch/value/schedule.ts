import type { Moving } from "../../interp/async/moving.ts";

/** `late`, `early`, or `random:7`; undefined for anything else. */
export function readMoving(text: string): Moving | undefined {
  if (text === "late" || text === "early") return { when: text };
  const read = readSchedule(text);
  return read === undefined || read === "fixed" ? undefined : { when: "random", seed: read.seed };
}

/** `fixed`, or `random:7`; undefined for anything else. */
export function readSchedule(text: string): "fixed" | { readonly seed: number } | undefined {
  if (text === "fixed") return "fixed";
  const digits = /^random:(.*)$/.exec(text)?.[1];
  const seed = digits === undefined ? undefined : readSeed(digits);
  return seed === undefined ? undefined : { seed };
}

/** `0..99`: both ends included; undefined for anything else. */
export function readSeeds(text: string): readonly [first: number, last: number] | undefined {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  const first = readSeed(from ?? "");
  const last = readSeed(to ?? "");
  return first === undefined || last === undefined || last < first ? undefined : [first, last];
}

/** A seed; undefined for anything else. The machine's generator uses 32 bits. */
export function readSeed(digits: string): number | undefined {
  const seed = Number(digits);
  return /^\d{1,10}$/.test(digits) && seed <= 0xffff_ffff ? seed : undefined;
}
