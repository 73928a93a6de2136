import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { compile, findCompilers, readCompiler } from "../../hunt/compiler.ts";
import { drawModule, inputFor } from "../../hunt/draw.ts";
import { caseOf, runModule } from "../../hunt/run.ts";

/**
 * What compilers have made of some seeds, for those who have none: the evaluator, ptxrun and the compiler agree on each program. After
 * a change of what is drawn, `COMPILERS="llc-23:O0,O3 nvcc:O3" UPDATE=1 npx vitest run packages/lab/tests/hunt/compiled.test.ts`.
 */
interface Kept {
  readonly seed: number;
  readonly programs: number;
  readonly compiler: string;
  readonly ptx: string;
}

const file = resolve(import.meta.dirname, "compiled.json");
const PROGRAMS = 4;
const seeds = [18, 29, 31];

async function renewed(): Promise<readonly Kept[]> {
  const wanted = (process.env["COMPILERS"] ?? "").split(" ").flatMap((each) => readCompiler(each) ?? []);
  const { value: compilers } = await findCompilers(wanted, "sm_80", process.cwd());
  const kept: Kept[] = [];
  for (const [at, compiler] of compilers.entries()) {
    const seed = seeds[at % seeds.length] as number;
    const made = await compile(compiler, drawModule(seed, PROGRAMS));
    if ("failed" in made) throw new Error(made.failed);
    // Comments say nothing to whoever runs it.
    const ptx = made.ptx.replace(/^\s*\/\/.*\n/gm, "").replace(/[ \t]+\/\/.*$/gm, "");
    kept.push({ seed, programs: PROGRAMS, compiler: `${compiler.name} (${compiler.version})`, ptx });
  }
  return kept;
}

if (process.env["UPDATE"] && process.env["COMPILERS"])
  writeFileSync(file, `${JSON.stringify(await renewed(), null, 1)}\n`);
const all = JSON.parse(readFileSync(file, "utf8")) as readonly Kept[];

describe("programs mean what their compiled texts do", () => {
  it.each(all)("seed $seed, by $compiler", ({ seed, programs, ptx }) => {
    const cases = drawModule(seed, programs).programs.map((each, at) => caseOf(each, inputFor(seed, at, each.threads)));
    expect(runModule(ptx, cases)).toEqual(cases.map(() => ({ kind: "right" })));
  });

  it("and a program whose text was changed is found", () => {
    const [{ seed, programs, ptx }] = all as [Kept];
    const cases = drawModule(seed, programs).programs.map((each, at) => caseOf(each, inputFor(seed, at, each.threads)));
    const spoilt = ptx.replace(/\bmul\.wide\.u32 /, "mul.wide.s16 ").replaceAll(/\bxor\.b32 /g, "or.b32 ").replaceAll(/\bsub\./g, "add."); // biome-ignore format: one line
    expect(spoilt).not.toBe(ptx);
    expect(runModule(spoilt, cases)).not.toEqual(cases.map(() => ({ kind: "right" })));
  });
});
