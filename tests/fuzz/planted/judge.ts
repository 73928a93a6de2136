import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cause } from "../../../packages/lab/diff/origin/describe.ts";
import { main } from "../../../src/cli/app.ts";
import { filesFrom } from "../../../src/system/files.ts";
import { type Build, builds, galleryFolder, kernels, launchOf, mixed, type Planted, plant, textOf } from "./plant.ts";

/** A fault planted in one build of a kernel, that is compared with another build. */
export interface Case {
  readonly seed: number;
  readonly kernel: string;
  readonly a: Build;
  readonly b: Build;
  readonly planted: Planted;
}

/**
 * `exact`: the origin is the planted line; `told`: it stands among the lines that are told; `missed`; `equal`: the fault
 * changes no result; `none`: the program does not end, or is none.
 */
export type Verdict = "exact" | "told" | "missed" | "equal" | "none";

/** The case of a seed. */
export function caseOf(seed: number, only: readonly string[] = kernels): Case | undefined {
  const kernel = only[seed % only.length] ?? "";
  const word = mixed(seed * 7 + 1);
  const a = builds[word % 4] ?? "sm_80.O3";
  const b = builds[(word >>> 4) % 4] ?? "sm_80.O3";
  const planted = plant(textOf(kernel, b), seed);
  return planted && { seed, kernel, a, b, planted };
}

/** Runs `ptxrun diff` on it, and says whether it names the place. */
export async function judge({
  kernel,
  a,
  planted,
}: Case): Promise<{ readonly verdict: Verdict; readonly out: string; readonly text: string; readonly by?: string }> {
  // biome-ignore format: one row
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-planted-"));
  try {
    const [first, second] = [join(folder, "a.ptx"), join(folder, "b.ptx")];
    writeFileSync(first, textOf(kernel, a));
    writeFileSync(second, planted.text);
    const words = ["diff", first, second, ...launchOf(kernel), "-q", "--max-steps", "300k", "--timeout", "20s"];
    const { exit, out } = await ptxrun([...words, "--json"]);
    if (exit === 0) return { verdict: "equal", out, text: "" };
    if (exit !== 1) return { verdict: "none", out, text: "" };
    const { pairs } = JSON.parse(out) as { readonly pairs: readonly { readonly cause?: Cause }[] };
    const cause = pairs[0]?.cause;
    const told = [cause?.origin?.b, ...(cause?.origin?.changes ?? []).filter(({ program }) => program === "b"), ...(cause?.writes ?? []).map(({ b }) => b), ...(cause?.threads ?? []).flatMap(({ b }) => b)]; // biome-ignore format: one row
    const { line } = planted;
    const verdict = cause?.origin?.b?.line === line ? "exact" : told.some((each) => each?.line === line) ? "told" : "missed"; // biome-ignore format: one row
    return { verdict, out, text: JSON.stringify(cause, null, 1), by: cause?.origin?.by ?? "" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ptxrun(argv: readonly string[]) {
  let out = "";
  const cwd = galleryFolder();
  const exit = await main(argv, {
    out: (text) => {
      out += text;
    },
    err: () => {},
    input: () => ({ bytes: new Uint8Array() }),
    env: {},
    cwd,
    files: filesFrom(cwd),
    terminal: { out: false, err: false },
    now: () => performance.now(),
  });
  return { exit, out };
}
