import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compile, findCompilers, type WantedCompiler } from "../../../packages/lab/hunt/compiler.ts";
import { nameOf, toJson, writeFinding } from "../../../packages/lab/hunt/finding.ts";
import { Hunt } from "../../../packages/lab/hunt/hunt.ts";
import type { ColourChoice } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { report } from "../../environment/report.ts";
import { WatchedSlicing } from "../../environment/slicing.ts";
import { jsonText } from "../../present/json.ts";
import type { CommandIo } from "../../system/command-io.ts";

/** The options of `ptxrun hunt`. */
export interface HuntOptions {
  readonly with: readonly WantedCompiler[];
  readonly seeds: readonly [first: number, last: number];
  readonly programs: number;
  readonly target: string;
  readonly output: string;
  readonly format: "text" | "json";
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** `ptxrun hunt`: exit 0 when all compilers give what the programs mean, 1 when one does not, 2 when one cannot be run. */
export async function hunt(options: HuntOptions, terminal: CommandIo): Promise<ExitCode> {
  const slicing = new WatchedSlicing(terminal, options.quiet !== true);
  try {
    return await huntInSlices(options, slicing, terminal.cwd);
  } finally {
    slicing.end();
  }
}

async function huntInSlices(options: HuntOptions, slicing: WatchedSlicing, cwd: string): Promise<ExitCode> {
  const { io } = slicing;
  const { seeds, programs, output: folder, target } = options;
  const { value: compilers, diagnostics } = await findCompilers(options.with, target, cwd);
  report(diagnostics, options, io);
  if (diagnostics.length > 0) return worst(diagnostics.map(exitOf));
  const hunt = new Hunt({ compilers, seeds, programs, folder }, compile, io, slicing);
  const summary = (): string => `${jsonText(toJson(hunt.done, compilers, seeds), 2)}\n`;
  const writeSummary = (): void => {
    mkdirSync(resolve(cwd, folder), { recursive: true });
    writeFileSync(resolve(cwd, folder, "hunt.json"), summary());
  };
  let exit: ExitCode = Exit.ok;
  for (let seed = seeds[0]; seed <= seeds[1]; seed++) {
    slicing.begin(`module ${seed} of ${seeds[0]}..${seeds[1]}, ${hunt.done.buckets.size} causes`);
    const found = await hunt.module(seed);
    for (const bucket of found) {
      exit = Exit.check;
      const name = nameOf(bucket, [...hunt.done.buckets.values()].indexOf(bucket) + 1);
      await writeFinding(folder, name, bucket, compilers, compile, cwd);
      if (options.format !== "json") io.out(`${join(folder, name)}: ${bucket.key}\n`);
    }
    // What is known so far outlives a kill.
    if (found.length > 0 || seed === seeds[1] || seed % 16 === 0) writeSummary();
    const signal = await slicing.rest();
    if (signal !== undefined) {
      exit = exitOfSignal(signal);
      break;
    }
  }
  writeSummary();
  for (const file of ["right.ptx", "wrong.ptx", "input.bin"]) rmSync(resolve(cwd, folder, file), { force: true });
  if (options.format === "json") io.out(summary());
  else if (!options.quiet) {
    const { modules, programs, functions, counts } = hunt.done;
    io.out(`${functions} functions in ${programs} programs in ${modules} modules, ${hunt.done.buckets.size} causes\n`);
    for (const { name, version } of compilers) {
      const own = [...(counts.get(name) ?? [])].map(([kind, count]) => `${count} ${kind}`);
      io.out(`  ${name} (${version}): ${own.join(", ")}\n`);
    }
  }
  return exit;
}
