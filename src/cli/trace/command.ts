import { withOriginal } from "../../../packages/debugger/console/original/excerpt.ts";
import { originalsOf } from "../../../packages/debugger/console/original/open.ts";
import type { Originals } from "../../../packages/debugger/console/original/originals.ts";
import { demangle } from "../../../packages/demangle/src/index.ts";
import { palette } from "../../environment/colour.ts";
import { type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { type OpenFile, openFile } from "../../environment/file.ts";
import { globPattern, isGlob } from "../../environment/glob.ts";
import type { Io, Signal } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { WatchedSlicing } from "../../environment/slicing.ts";
import { placeName } from "../../host/place-name.ts";
import { problem } from "../../host/problem.ts";
import { type Traced, traceSession } from "../../host/trace.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Stop } from "../../interp/contract/stop.ts";
import type { Session } from "../../interp/machine/session.ts";
import { threadId } from "../../launch/extents.ts";
import { setUp } from "../../launch/input/inputs.ts";
import { missingNotes } from "../../launch/input/missing.ts";
import { begin, runSlices } from "../../launch/launch.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { deadline, type Loaded, load } from "../../launch/program.ts";
import { optionSource } from "../../launch/value/assignment.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import { printable, printableLines } from "../../present/text/escape.ts";
import { type Palette, plain } from "../../present/text/palette.ts";
import { tracedToJson } from "../../present/trace/trace.ts";
import { TraceText } from "../../present/trace/trace-text.ts";
import { nearest } from "../../resolve/nearest.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { demangledField, listKernels, WHICH } from "../run/kernel-list.ts";
import { readProgram } from "../run/text.ts";

/** How a traced run ended: normally, in a fault, or at the limit on lines. */
interface StopJson {
  readonly reason: string;
  readonly code?: string;
}

/** The lines of a trace, in either format; each method returns complete lines. */
interface TraceWriter {
  begin(): string;
  instruction(traced: Traced): string;
  /** Text that the program prints. */
  printed(step: number, text: string): string;
  end(stop: StopJson, steps: number, exit: ExitCode, diagnostics: readonly Diagnostic[]): string;
}

/** A line of JSON each; `schema/trace-1.json`. */
function jsonWriter({ program }: Session): TraceWriter {
  const line = (data: Record<string, unknown>): string => `${jsonText(data)}\n`;
  const { name, source } = program;
  return {
    begin: () => line({ schema: "ptxrun.trace/1", source: source.name, kernel: name, ...demangledField(name) }),
    instruction: (traced) => line(tracedToJson(traced, program)),
    printed: (step, printed) => line({ step, printed }),
    end: (stop, steps, exit, diagnostics) =>
      line({ stop, steps, exit, diagnostics: diagnostics.map(diagnosticToJson) }),
  };
}

/** Text for people; diagnostics go to standard error, as always. */
function textWriter(session: Session, originals: Originals, palette: Palette): TraceWriter {
  const { program } = session;
  const text = new TraceText({
    program,
    palette,
    place: (address, space) => placeName(session, address, space),
    original: (location) => originals.text(location),
  });
  const name = demangle(program.name)?.full ?? program.name;
  return {
    begin: () => `${printable([name, program.source.name].filter((each) => each !== "").join(" of "))}\n`,
    instruction: (traced) => text.instruction(traced),
    printed: (_, said) =>
      `prints  ${printableLines(said)
        .replace(/\n(?=.)/g, "\n        ")
        .replace(/\n?$/, "\n")}`,
    end: ({ reason, code }, steps) =>
      `${reason}${code === undefined ? "" : ` ${code}`} after ${steps} warp instructions\n`,
  };
}

/** Which instructions a trace shows. */
interface FilterOptions {
  /** An opcode with its modifiers, a pattern for some of them, or a mnemonic for all of its forms. */
  readonly opcode?: string;
  /** From this label up to the next one. */
  readonly label?: string;
}

/** The instructions that both options select; an option that matches nothing in the program is an error. */
function filterOf(program: Program, { opcode, label }: FilterOptions): Staged<ReadonlySet<number> | undefined> {
  const { code } = program;
  let wanted = new Set(code.keys());
  if (label !== undefined) {
    const names = (program.labels ?? []).map(({ name }) => name);
    if (!names.includes(label)) return unknown("--label", label, names, "a label of the program");
    wanted = afterLabel(program, label);
  }
  if (opcode !== undefined) {
    const matches = matcher(opcode);
    const found = new Set([...code.keys()].filter((pc) => matches(code[pc]?.opcode ?? "")));
    const names = new Set(code.flatMap(({ opcode: each }) => [each, mnemonicOf(each)]));
    if (found.size === 0) return unknown("--opcode", opcode, names, "an instruction of the program");
    wanted = new Set([...wanted].filter((pc) => found.has(pc)));
  }
  return { value: wanted, diagnostics: [] };
}

/** The instructions after each label of that name, up to the next label or the end of the function. */
function afterLabel({ code, labels = [], functions }: Program, label: string): Set<number> {
  const ends = [
    ...labels.map(({ pc }) => pc),
    ...functions.flatMap(({ entry }) => (typeof entry === "number" ? [entry] : [])),
    code.length,
  ];
  const found = new Set<number>();
  for (const { name, pc: start } of labels) {
    if (name !== label) continue;
    const end = Math.min(...ends.filter((each) => each > start));
    for (let pc = start; pc < end; pc++) found.add(pc);
  }
  return found;
}

const mnemonicOf = (opcode: string): string => opcode.split(".")[0] ?? "";

function matcher(pattern: string): (opcode: string) => boolean {
  if (!isGlob(pattern)) return (opcode) => opcode === pattern || mnemonicOf(opcode) === pattern;
  const whole = globPattern(pattern);
  return (opcode) => whole.test(opcode);
}

function unknown(option: string, text: string, names: Iterable<string>, expected: string): Staged<undefined> {
  const meant = nearest(text, names);
  const diagnostic = problem("PTX2211", `${text} names nothing in the program`, {
    source: optionSource(option, text),
    span: { start: 0, end: text.length },
    expected,
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });
  return { value: undefined, diagnostics: [diagnostic] };
}

export interface TraceCommandOptions extends RunCommandOptions, FilterOptions {
  readonly limit?: number;
  readonly format: "json" | "text";
}

/** Most warp instructions between two checks whether the output is still read. */
const SLICE = 10_000;

/**
 * `ptxrun trace`: JSON lines, or with `--format text` words for people. The first line names the schema and the program, then
 * comes each instruction that a warp has executed and the filters select, and at the end how the run stopped.
 */
export async function trace(file: string | undefined, options: TraceCommandOptions, terminal: Io): Promise<ExitCode> {
  if (options.entry === WHICH) return listKernels(file, { ...options, format: "text" }, terminal);
  const begun = terminal.now();
  // Lines at a terminal already show the progress.
  const slicing = new WatchedSlicing(terminal, !terminal.terminal.out && options.quiet !== true);
  try {
    return await traceInSlices(file, { ...options, begun }, slicing);
  } finally {
    slicing.end();
  }
}

async function traceInSlices(
  file: string | undefined,
  options: TraceCommandOptions,
  slicing: WatchedSlicing,
): Promise<ExitCode> {
  const { io } = slicing;
  const prepared = prepare(file, options, io);
  if (prepared.value === undefined) {
    report(prepared.diagnostics, options, io);
    return worst(prepared.diagnostics.map(exitOf));
  }
  const opened = options.output === undefined ? undefined : openFile(options.output, io.files);
  if (opened !== undefined && opened.value === undefined) {
    report(opened.diagnostics, options, io);
    return worst(opened.diagnostics.map(exitOf));
  }
  const { session } = prepared.value;
  const originals = originalsOf(file, options, io);
  const colours = options.output === undefined ? palette(options.color, "out", io) : plain;
  const writer = options.format === "text" ? textWriter(session, originals, colours) : jsonWriter(session);
  const write = (text: string): void => (opened?.value ?? stdout(io)).write(text);
  const { stop, signal, diagnostics } = await follow(prepared.value, options, slicing, writer, write);
  const all = [...prepared.diagnostics, ...diagnostics];
  const exit = worst([...all.map(exitOf), ...(signal === undefined ? [] : [exitOfSignal(signal)])]);
  write(writer.end(stop, session.steps, exit, all));
  if (options.verbose) io.err(`${stop.reason} after ${session.steps} warp instructions\n`);
  const unwritten = opened?.value?.close() ?? [];
  report(
    [...all, ...unwritten].map((each) => withOriginal(each, originals)),
    options,
    io,
  );
  return worst([exit, ...unwritten.map(exitOf)]);
}

const stdout = (io: Io): Pick<OpenFile, "write"> => ({ write: io.out });

interface Prepared extends Loaded {
  readonly session: Session;
  readonly wanted: ReadonlySet<number>;
  /** Receives the program's output, once it is set. */
  readonly printer: { print: (text: string) => void };
}

function prepare(file: string | undefined, options: TraceCommandOptions, io: Io): Staged<Prepared | undefined> {
  const diagnostics: Diagnostic[] = [];
  const failed = () => ({ value: undefined, diagnostics });
  if (options.seeds !== undefined) {
    const expected = "--schedule random:SEED for one of them";
    diagnostics.push(problem("PTX2003", "--seeds makes several runs, and a trace is of one", { expected }));
    return failed();
  }
  const text = readProgram(file, options, io, deadline(options, io.now));
  diagnostics.push(...text.diagnostics);
  if (text.value === undefined) return failed();
  const loaded = load(text.value, options, io.now);
  diagnostics.push(...loaded.diagnostics);
  if (loaded.value === undefined) return failed();
  const { kernel } = loaded.value;
  const inputs = setUp(loaded.value, options, io, diagnostics);
  const wanted = filterOf(kernel.program, options);
  diagnostics.push(...wanted.diagnostics);
  if (wanted.value === undefined || hasErrors(diagnostics)) return failed();
  diagnostics.push(...missingNotes(inputs, kernel));
  const printer: Prepared["printer"] = { print: () => {} };
  const begun = begin(kernel, inputs, options, (said) => printer.print(said));
  diagnostics.push(...begun.diagnostics);
  if (begun.value === undefined) return failed();
  return { value: { ...loaded.value, session: begun.value, wanted: wanted.value, printer }, diagnostics };
}

/** Runs the session to its end, or until enough lines are written. */
async function follow(
  { session, wanted, printer }: Prepared,
  options: TraceCommandOptions,
  slicing: WatchedSlicing,
  writer: TraceWriter,
  write: (text: string) => void,
): Promise<{
  readonly stop: StopJson;
  readonly signal: Signal | undefined;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { limit = Number.POSITIVE_INFINITY, thread } = options;
  write(writer.begin());
  let lines = 0;
  const narrowed =
    thread === undefined || thread === "all" ? {} : { thread: threadId(blockThread(thread), session.program) };
  printer.print = (text) => write(writer.printed(session.steps, text));
  const finish = traceSession(session, { wants: (pc) => wanted.has(pc), ...narrowed }, (traced) => {
    lines++;
    write(writer.instruction(traced));
  });
  // An instruction makes one line at most, so this many can run without exceeding the limit.
  const { stop, signal } = await runSlices(session, options, slicing, () => Math.min(SLICE, limit - lines));
  finish();
  const enough = stop.reason === "budget";
  const trap = stop.reason === "trap" ? [stop.diagnostic] : [];
  const said = signal === undefined ? stopToJson(stop) : { ...stopToJson(stop), reason: "interrupted" };
  return { stop: enough ? { reason: "limit" } : said, signal, diagnostics: [...session.findings, ...trap] };
}

const blockThread = ([block, thread]: readonly [number, number]) => ({ block, thread });

const stopToJson = (stop: Stop): StopJson =>
  stop.reason === "trap" ? { reason: "trap", code: stop.diagnostic.code } : { reason: stop.reason };
