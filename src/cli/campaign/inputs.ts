import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { sidecarOf } from "../check/sidecar.ts";
import { filesIn } from "../paths.ts";
import { readKept } from "./kept.ts";
import type { Plan } from "./plan.ts";

/**
 * SHA-256 of the files that a plan's jobs name, and of their places: programs and what `check` reads of them. What another
 * command reads, nobody knows.
 */
export function inputsOf({ jobs }: Plan, cwd: string): string {
  const all = createHash("sha256");
  for (const { kind, words } of jobs) {
    if (kind === "sweep" || kind === "command") continue;
    const paths = words.filter((word) => !word.startsWith("-") && isThere(word, cwd));
    const files = filesIn(paths, cwd, /\.(?:ptx|visaasm|isa|litmus|npy|json)$/).value.map(({ path }) => path);
    for (const path of files.flatMap((each) => [each, sidecarOf(each)]).toSorted()) {
      const bytes = contents(resolve(cwd, path));
      if (bytes !== undefined) all.update(`${path}\0${bytes.length}\0`).update(bytes);
    }
  }
  return all.digest("hex");
}

const isThere = (path: string, cwd: string): boolean => {
  const found = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isDirectory());
};

/** Bytes of a program, or of an array that it is given. */
const MOST_INPUT = 2 ** 31;

function contents(path: string): Uint8Array | undefined {
  try {
    return readKept(path, MOST_INPUT);
  } catch {
    // A program without a sidecar; whoever runs it says what else cannot be read.
    return undefined;
  }
}
