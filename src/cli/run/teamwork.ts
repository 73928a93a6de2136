import type { Teamwork } from "../../interp/crew/team.ts";
import type { RunCommandOptions } from "../../launch/options.ts";

/**
 * On how many threads a launch ran, and why not on more. It is told to who counts or asks: `--stats` and `-v`. What no
 * thread but one was there for has no `found`; then `alone` says why.
 */
export function teamworkOf(
  options: RunCommandOptions,
  found: Teamwork | undefined,
  alone: string,
): Teamwork | undefined {
  if (options.verbose !== true && options.stats !== true) return undefined;
  if (found === undefined) return { workers: 1, blocks: 0, rounds: 0, alone };
  return { ...found, alone: found.alone === "" ? "" : named(found.alone, options) };
}

/** `run by 2 threads: 1004 blocks in 5 rounds`. */
export function teamworkText({ workers, blocks, rounds, alone }: Teamwork): string {
  const shared = rounds === 0 ? "one thread" : `${workers} threads: ${blocks} blocks in ${rounds} rounds`;
  return `run by ${shared}${alone === "" ? "" : `${rounds === 0 ? ":" : ", the rest by one:"} ${alone}`}\n`;
}

/** The reason with the options that are behind it, where the launch itself cannot know them. */
function named(alone: string, { stats, report, sanitize, ...options }: RunCommandOptions): string {
  switch (alone) {
    case "something listens to its instructions": {
      const who = [
        ...(stats ? ["--stats"] : []),
        ...(report ? ["--report"] : []),
        ...(sanitize.race ? ["--sanitize race"] : []),
      ];
      return who.length === 0
        ? alone
        : `${who.join(" and ")} ${who.length === 1 ? "listens" : "listen"} to its instructions`;
    }
    case "accesses are not checked":
      return `${alone} (--sanitize without mem)`;
    case "its order is drawn by a seed":
      return `${alone} (${options.seeds === undefined ? "--schedule" : "--seeds"})`;
    case "asynchronous data move at other times":
      return `${alone} (--async)`;
    case "it is cooperative":
      return `${alone} (--cooperative)`;
    default:
      return alone;
  }
}
