import { shortName } from "../../../packages/demangle/src/index.ts";
import { type Diagnosis, Doctor } from "../../../packages/lab/doctor/diagnose.ts";
import { Bench, type Given } from "../../../packages/lab/launches/bench.ts";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { Device, kindOfText, problem } from "../../host/index.ts";
import { load, openModule } from "../../launch/program.ts";
import { jsonText } from "../../present/json.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { readProgram } from "../run/text.ts";
import { pageOf } from "./page.ts";
import { toJson } from "./to-json.ts";

/** Commander's options of `doctor`. */
export interface DoctorOptions extends Given {
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly format: "text" | "json";
}

/** `ptxrun doctor`: infers launches of a kernel, runs them with every check, and says what is wrong. */
export const doctor = (file: string, options: DoctorOptions, io: Io): Promise<ExitCode> =>
  inSlices(io, options.quiet !== true, (slicing) => doctorInSlices(file, options, slicing));

async function doctorInSlices(file: string, options: DoctorOptions, slicing: WatchedSlicing): Promise<ExitCode> {
  const { io } = slicing;
  const { value: source, diagnostics } = readProgram(file, {}, io);
  report(diagnostics, options, io);
  if (source === undefined) return worst(diagnostics.map(exitOf));
  if (kindOfText(source) !== "module") {
    const message = `${file} is not a PTX module, whose kernels can be tried`;
    report([problem("PTX2002", message, { expected: "a PTX module with an .entry" })], options, io);
    return Exit.usage;
  }
  const entries = options.entry === undefined ? entriesOf(source) : [options.entry];
  const diagnoses: Diagnosis[] = [];
  for (const entry of entries.length === 0 ? [undefined] : entries) {
    const given = entry === undefined ? options : { ...options, entry };
    const { value: loaded, diagnostics: rejected } = load(source, given, io.now);
    report(rejected, options, io);
    if (loaded === undefined || hasErrors(rejected)) return worst(rejected.map(exitOf));
    const bench = new Bench(source, loaded, given, io);
    const { diagnostics: unread } = bench.inputs(bench.load(), options.arg ?? []);
    report(unread, options, io);
    if (hasErrors(unread)) return worst(unread.map(exitOf));
    const { value: diagnosis, diagnostics: refused } = await new Doctor(bench, (runs, found) => {
      const which = entries.length > 1 ? `${shortName(entry ?? "")}: ` : "";
      slicing.begin(`${which}${runs} run${runs === 1 ? "" : "s"}, ${found} ${found === 1 ? "thing" : "things"} found`);
      return slicing.rest().then((signal) => signal === undefined);
    }).diagnose();
    report(refused, options, io);
    if (diagnosis === undefined) return worst(refused.map(exitOf));
    diagnoses.push(diagnosis);
    if (diagnosis.interrupted) break;
  }
  if (options.format === "json") io.out(`${jsonText(toJson(file, diagnoses), 2)}\n`);
  const colours = palette(options.color, "out", io);
  const pages = diagnoses.map((each) => pageOf(file, each, options.quiet === true, colours));
  if (options.format !== "json") io.out(pages.filter((page) => page !== "").join("\n"));
  if (slicing.signal !== undefined) {
    const runs = diagnoses.reduce((sum, each) => sum + each.runs, 0);
    const what = `interrupted: after ${runs} run${runs === 1 ? "" : "s"}, of ${diagnoses.length} of ${Math.max(entries.length, 1)} kernels`;
    report([problem("PTX6103", what)], options, io);
    return exitOfSignal(slicing.signal);
  }
  return diagnoses.some(({ found }) => found.some(({ wrong }) => wrong)) ? Exit.check : Exit.ok;
}

/** The kernels of a module; none where it cannot be read, which loading then says. */
function entriesOf(source: Source): readonly string[] {
  return openModule(new Device(), source, {}).value?.entries ?? [];
}
