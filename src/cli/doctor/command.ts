import { shellWord } from "../../../packages/demangle/src/index.ts";
import { type Diagnosis, diagnose, type Found } from "../../../packages/lab/doctor/diagnose.ts";
import { recipeOf } from "../../../packages/lab/doctor/infer.ts";
import type { Checked } from "../../../packages/lab/doctor/runs.ts";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { Device, kindOfText, problem } from "../../host/index.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { load } from "../../launch/program.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import type { Palette } from "../../present/text/palette.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { readProgram } from "../run/text.ts";

/** Commander's options of `doctor`. */
export interface DoctorOptions extends Pick<RunCommandOptions, "entry" | "grid" | "block"> {
  readonly color: ColourChoice;
  readonly quiet?: boolean;
}

/** `ptxrun doctor`: infers launches of a kernel, runs them with every check, and says what is wrong. */
export function doctor(file: string, options: DoctorOptions, io: Io): ExitCode {
  const { value: source, diagnostics } = readProgram(file, {}, io);
  report(diagnostics, options, io);
  if (source === undefined) return worst(diagnostics.map(exitOf));
  if (kindOfText(source) !== "module") {
    const message = `${file} is no PTX module, whose kernels can be tried`;
    report([problem("PTX2002", message, { expected: "a PTX module with an .entry" })], options, io);
    return Exit.usage;
  }
  const { value: loaded, diagnostics: rejected } = load(source, options, io.now);
  report(rejected, options, io);
  if (loaded === undefined || hasErrors(rejected)) return worst(rejected.map(exitOf));
  const { name } = loaded.kernel;
  const diagnosis = diagnose(
    () => {
      const device = new Device();
      const { value: module } = device.module(source);
      const kernel = module?.kernel(name).value;
      if (kernel === undefined) throw new Error(`${name} cannot be loaded a second time`);
      return { device, kernel };
    },
    { ...(options.grid && { grid: options.grid }), ...(options.block && { block: options.block }) },
  );
  const colours = palette(options.color, "out", io);
  io.out(options.quiet ? problemsOnly(file, diagnosis, colours) : page(file, diagnosis, colours));
  return diagnosis.found.some(({ kind }) => kind !== "order") ? Exit.check : Exit.ok;
}

/** With `-q`. */
function problemsOnly(file: string, { program, found }: Diagnosis, colours: Palette): string {
  const entry = shellWord(program.name);
  const line = (run: Checked): string => commandLine(file, entry, run);
  return found.map((each) => `${explained(each, line, colours).join("\n")}\n`).join("\n");
}

function page(file: string, { program, launches, runs, found }: Diagnosis, colours: Palette): string {
  const entry = shellWord(program.name);
  const line = (run: Pick<Checked, "launch" | "way">): string => commandLine(file, entry, run);
  const [launch] = launches;
  const lines = [`doctor ${file}: ${entry}`];
  if (launch !== undefined)
    lines.push("", "The launch that it seems to be written for:", `  ${line({ launch, way: { seed: 1 } })}`);
  for (const each of found) lines.push("", ...explained(each, line, colours));
  const sizes = launches.map(({ size }) => size).join(" and ");
  const tried = `${runs} runs: sizes ${sizes}, two draws of data, orders of warps and blocks; memory, initialisation, barriers and races checked`;
  lines.push("", `Tried: ${tried}.`);
  if (found.length === 0) lines.push(colours.good("Nothing is wrong."));
  return `${lines.join("\n")}\n`;
}

function explained(found: Found, line: (run: Checked) => string, colours: Palette): readonly string[] {
  const again = `  again: ${line(found.run)}`;
  if (found.kind === "problem") return [renderDiagnostics([found.problem], colours).trimEnd(), again];
  const { name } = found.parameter;
  if (found.kind === "order")
    return [
      `note: ${name} depends on the order of warps and blocks, which nothing fixes`,
      again,
      `  other: ${line(found.other)}`,
    ];
  const what = found.what === "nan" ? "NaN" : "infinite";
  return [colours.error(`error: ${name}[${found.index}] is ${what}, of ordinary numbers`), again];
}

/** The command line that repeats a run. */
function commandLine(file: string, entry: string, { launch, way }: Pick<Checked, "launch" | "way">): string {
  const { grid, block, smem, cooperative, values, size } = launch;
  const words = ["ptxrun", file, "--entry", entry, "--grid", extent(grid), "--block", extent(block)];
  if (smem > 0) words.push("--smem", String(smem));
  if (cooperative) words.push("--cooperative");
  if (way.schedule !== undefined) words.push("--schedule", `random:${way.schedule}`);
  if (way.async !== undefined) words.push("--async", way.async === "random" ? `random:${way.schedule}` : way.async);
  words.push("--sanitize", "mem,init,sync,race");
  for (const [index, [, value]] of [...values].entries()) {
    const recipe = value.kind === "buffer" ? recipeOf(value, size, way.seed) : undefined;
    const buffer =
      value.kind === "buffer" ? `${value.type}x${value.count}${recipe === undefined ? "" : `:${recipe}`}` : value.text;
    words.push("-a", `${index}=${buffer}`);
  }
  return words.join(" ");
}

/** `2,1,1` as `2`. */
const extent = (sizes: readonly number[]): string => {
  const last = sizes.findLastIndex((size) => size > 1);
  return sizes.slice(0, Math.max(0, last) + 1).join(",");
};
