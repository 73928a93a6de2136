import type { Since } from "../../isa/form/define.ts";
import { match } from "../../isa/match/match.ts";
import type * as ast from "../../parser/ast.ts";
import { bestShape } from "../instruction/best-form.ts";
import { specialOf } from "../instruction/special-register.ts";
import { namesOf } from "./names-in.ts";
import { archOf, newestVersion, targets } from "./target.ts";

/** What the instructions of a text need of a header that it does not have. */
export interface Needs {
  readonly sinces: readonly Since[];
  readonly until: readonly Since[];
}

/** What a text of today is most likely compiled for, if it needs nothing newer. */
const USUAL = "sm_90";

/** Collects what the instructions and special registers of these bodies came with, and what later ended. */
export function needsOf(bodies: Iterable<ast.Block>): Needs {
  const sinces = new Set<Since>();
  const until = new Set<Since>();
  const open = [...bodies];
  for (let block = open.pop(); block !== undefined; block = open.pop())
    for (const statement of block.statements) {
      if (statement.kind === "block") open.push(statement);
      if (statement.kind !== "instruction") continue;
      const { mnemonic, modifiers, operands } = statement;
      const found = match(
        mnemonic.text,
        modifiers.map(({ text }) => text),
      );
      if (found.kind !== "forms") continue;
      const { form, since } = bestShape(found.candidates, operands, { lookup: () => undefined });
      sinces.add(since);
      if (form.until) until.add(form.until);
      for (const name of namesOf(statement)) {
        const special = name.startsWith("%") ? specialOf(name) : undefined;
        if (special) sinces.add(special.since);
      }
    }
  return { sinces: [...sinces], until: [...until] };
}

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
