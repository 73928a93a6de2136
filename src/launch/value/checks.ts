import type { Checks } from "../../interp/create-session.ts";

/** The names of the checks, as lists have them. */
export const checkNames = ["mem", "init", "sync", "race", "bounds"] as const;

/** The checks of a run unless told. */
export const usualChecks: Checks = { mem: true, init: true, sync: true };

/** What a list of checks may be, for messages. */
export const CHECKS: string = `${checkNames.join(", ")}, with commas; all, none; +NAME and -NAME change the default mem,init,sync`;

/**
 * The enabled checks of a list with commas: names, `all` or `none`. A list that begins with a sign, `+race,-init`, adds
 * to the usual checks and takes from them; another is all that is checked. The word that names no check, else.
 */
export function readCheckList(text: string): Checks | string {
  const words = text.split(",");
  const wanted = new Set<string>(/^[-+]/.test(text) ? checkNames.filter((name) => usualChecks[name]) : []);
  for (const word of words) {
    const [, sign = "+", name = ""] = /^([-+]?)(.*)$/s.exec(word) ?? [];
    const named = name === "all" ? checkNames : checkNames.filter((each) => each === name);
    if (name === "none" && text === "none") continue;
    if (named.length === 0) return name === "" ? word : name;
    for (const each of named) sign === "-" ? wanted.delete(each) : wanted.add(each);
  }
  const has = (name: string): boolean => wanted.has(name);
  return { mem: has("mem"), init: has("init"), sync: has("sync"), race: has("race"), bounds: has("bounds") };
}

/** The same for those who say what is wrong in their own words. */
export function readChecks(text: string): Checks | undefined {
  const checks = readCheckList(text);
  return typeof checks === "string" ? undefined : checks;
}
