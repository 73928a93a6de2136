// The declarations that the library's doors need, in few files.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import jsTokens from "js-tokens";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/**
 * Types in place of those that would bring the whole machine with them: an executor, what workers are told and what an
 * instruction's form makes for the executors come from ptxrun, and its users hand them on.
 */
const opaque = {
  "interp/contract/plan/plan": ["Plan", "PlanShape", "PredicateOp", "Inner"],
  "interp/state/executor": ["Executor", "LinkedProgram", "Turns"],
  "interp/worker-pool/message": ["PoolMessage", "MemoryMessage", "LaunchMessage", "RangeMessage"],
};

/**
 * Puts what `doors`, names below `folder`/`src` without `.d.ts`, need of the declarations in `folder` into them and files that
 * they share, and leaves nothing else there.
 */
export async function joinTypes(folder, src, doors) {
  const input = Object.fromEntries(doors.map((door) => [door, join(folder, src, `${door}.d.ts`)]));
  for (const [file, names] of Object.entries(opaque)) {
    const path = join(folder, src, `${file}.d.ts`);
    if (!existsSync(path)) throw new Error(`${path} is not there`);
    writeFileSync(path, names.map((name) => `export type ${name} = object;\n`).join(""));
  }
  quieten(Object.values(input));
  const joined = await rolldown({ input, plugins: [dts({ dtsInput: true })], checks: { pluginTimings: false } });
  const made = `${folder}.types`;
  await joined.write({ dir: made, format: "es", chunkFileNames: "shared/[name].d.ts" });
  await joined.close();
  for (const door of doors) hush(join(made, `${door}.d.ts`));
  rmSync(folder, { recursive: true });
  renameSync(made, folder);
}

const references = /(export [^;"']*?from|from|import\()\s*["'](\.[^"']+)\.(?:js|ts)["']/g;

/**
 * Takes the comments out of declarations that no door passes on: nobody can name them, and comments are more than half of
 * the declarations' bytes.
 */
function quieten(doors) {
  const reached = new Set();
  const named = new Set();
  const visit = (file, isNamed) => {
    if (named.has(file) || (reached.has(file) && !isNamed)) return;
    reached.add(file);
    if (isNamed) named.add(file);
    for (const [, how, path] of readFileSync(file, "utf8").matchAll(references))
      visit(resolve(dirname(file), `${path}.d.ts`), isNamed && how.startsWith("export"));
  };
  for (const door of doors) visit(door, true);
  for (const file of reached) if (!named.has(file)) writeFileSync(file, withoutComments(readFileSync(file, "utf8")));
}

/** Takes the comments out of what a door declares for itself and does not export. */
function hush(door) {
  const text = readFileSync(door, "utf8");
  const exported = new Set(text.slice(text.lastIndexOf("export {")).match(/[\w$]+/g));
  const parts = text.split(/^(?=(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?(?:declare|interface|type|export)\b)/m);
  const name = /^(?:declare )?(?:abstract )?(?:class|interface|type|const|function) ([\w$]+)/m;
  writeFileSync(
    door,
    parts.map((part) => (exported.has(name.exec(part)?.[1] ?? "export") ? part : withoutComments(part))).join(""),
  );
}

function withoutComments(text) {
  const kept = [...jsTokens(text)].filter(({ type }) => !type.endsWith("Comment"));
  return kept
    .map(({ value }) => value)
    .join("")
    .replace(/\n\s*\n/g, "\n");
}
