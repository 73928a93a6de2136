import type { Checks } from "../../interp/create-session.ts";

const names = ["mem", "init", "sync", "race"];

/** `mem,init,sync,race` or some of them, or `none`: the checks that run along; `undefined` when the text is no such list. */
export function readChecks(text: string): Checks | undefined {
  const wanted = text === "none" ? [] : text.split(",");
  if (!wanted.every((name) => names.includes(name))) return undefined;
  const [mem, init, sync, race] = names.map((name) => wanted.includes(name)) as [boolean, boolean, boolean, boolean];
  return { mem, init, sync, race };
}
