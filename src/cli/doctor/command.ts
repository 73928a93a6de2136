import { Bench, type Given } from "../../../packages/lab/doctor/bench.ts";
import { Doctor } from "../../../packages/lab/doctor/diagnose.ts";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { kindOfText, problem } from "../../host/index.ts";
import { load } from "../../launch/program.ts";
import { jsonText } from "../../present/json.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { readProgram } from "../run/text.ts";
import { pageOf } from "./page.ts";
import { toJson } from "./to-json.ts";

/** Commander's options of `doctor`. */
export interface DoctorOptions extends Given {
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly json?: boolean;
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
  const bench = new Bench(source, loaded, options, io);
  const { diagnostics: unread } = bench.inputs(bench.load(), options.arg ?? []);
  report(unread, options, io);
  if (hasErrors(unread)) return worst(unread.map(exitOf));
  const diagnosis = new Doctor(bench).diagnose();
  io.out(
    options.json
      ? `${jsonText(toJson(file, diagnosis), 2)}\n`
      : pageOf(file, diagnosis, options.quiet === true, palette(options.color, "out", io)),
  );
  return diagnosis.found.some(({ wrong }) => wrong) ? Exit.check : Exit.ok;
}
