import type { Checks } from "../../interp/create-session.ts";

const names = ["mem", "init", "sync", "race", "bounds"];

/** The enabled checks of a list with commas, `all` or `none`; `undefined` for any other text. */
export function readChecks(text: string): Checks | undefined {
  const wanted = text === "none" ? [] : text === "all" ? names : text.split(",");
  if (!wanted.every((name) => names.includes(name))) return undefined;
  const has = (name: string): boolean => wanted.includes(name);
  return { mem: has("mem"), init: has("init"), sync: has("sync"), race: has("race"), bounds: has("bounds") };
}
