import type { Since } from "../../../isa/form/define.ts";
import { archOf, newestVersion, targets } from "./target.ts";

/** The requirements of a text's instructions on the header that it lacks. */
export interface Needs {
  readonly sinces: readonly Since[];
  readonly until: readonly Since[];
}

/** The most likely target of a current text, if it needs nothing newer. */
const USUAL = "sm_90";

/**
 * The `.version` for a text that states none: the newest, unless it has what the newest has no longer and its target
 * does not keep.
 */
export function versionFor({ until }: Needs, target: string | undefined): number {
  const known = target === undefined ? undefined : archOf(target);
  const ended = until.filter(({ sm }) => known === undefined || known.arch.sm >= sm).map(({ ptx }) => ptx - 1);
  return Math.min(newestVersion, ...ended);
}

/** The `.target` for a text that states none: the least that has all that it needs, and not older than is usual. */
export function targetFor({ sinces }: Needs, version: number): string {
  let least = 0;
  let only: Since["only"];
  for (const since of sinces) {
    const { or } = since;
    const counts = or !== undefined && version >= or.ptx ? or : since;
    least = Math.max(least, counts.sm);
    if (counts === since && since.only !== undefined) only = since.only === "a" || only === "a" ? "a" : "f";
  }
  const known = (name: string): boolean => (archOf(name)?.since ?? Number.POSITIVE_INFINITY) <= version;
  const usual = known(USUAL) ? 90 : Number(targets.find((name) => /\d$/.test(name) && known(name))?.slice(3) ?? 0);
  const sm = Math.max(least, usual);
  const names = targets.filter((name) => Number.parseInt(name.slice(3), 10) >= sm).reverse();
  const fitting = names.find((name) => (only === undefined ? /\d$/ : only === "f" ? /[af]$/ : /a$/).test(name));
  return fitting ?? USUAL;
}
