import { LoadedProgram } from "../../packages/debugger/console/program/loaded-program.ts";
import type { Debugger, Motion } from "../../src/host/debugger/debugger.ts";
import { Device, type Module } from "../../src/host/index.ts";
import type { Sliced } from "../../src/interp/tools/sliced.ts";
import { finalState as finalStateOf, select } from "../../src/launch/dump/dump.ts";
import type { RunCommandOptions } from "../../src/launch/options.ts";
import { load as loadText, openModule } from "../../src/launch/program.ts";
import { stateToJson } from "../../src/present/state.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";
import type {
  Inferred,
  LaneRegisters,
  LineHistory,
  LineValues,
  Loaded,
  MemoryBytes,
  Move,
  Origin,
  Outcomes,
  Project,
  Space,
  State,
  Strip,
  Thread,
  ValuePlace,
} from "../page/client.ts";
import { filled } from "../page/filled.ts";
import { Course } from "./course.ts";
import { demandsOf } from "./demands.ts";
import { pageIo } from "./environment.ts";
import { inferring } from "./inferring.ts";
import { sizesOf, sorted, withValues } from "./inputs.ts";
import { problems as problemsOf } from "./language.ts";
import { origin as originOf } from "./origin.ts";
import { litmusOutcomes, outcomesOf } from "./outcomes.ts";
import { problemOf } from "./problem.ts";
import type { Standing } from "./standing.ts";
import { buffersOf, bytesAt, contentsOf, stateOf } from "./state.ts";
import { isTest } from "./test-text.ts";

/** Milliseconds that a move goes on without hearing messages, and between two words about how far it is. */
const PIECE = 40;
const PROGRESS = 100;

/** Warp instructions in which races are looked for without being asked to. */
const SHORT = 50_000;

/** Characters of what printf prints that are kept. */
const MOST_PRINTED = 2 ** 18;

let current: Standing | undefined;
/** The same launch once more, for what it went through. */
let course: Course | undefined;
/** Breakpoints of the page, by their lines. */
let points: number[] = [];
/** Loads and moves are done one after the other; those up to a number shall end early. */
let turn: Promise<unknown> = Promise.resolve();
let asked = 0;
let ended = 0;

/** Does something when what was asked for before has come to its end, which is now. */
function inTurn<T>(act: (ends: () => boolean) => T | Promise<T>): Promise<T> {
  ended = asked;
  asked += 1;
  const own = asked;
  const done = turn.then(() => act(() => own <= ended));
  turn = done.catch(() => {});
  return done;
}

/** The launch that the page looks at; throws when there is none. */
export function standing(): Standing {
  if (current === undefined) throw new Error("there is no launch: the program cannot run as it is");
  return current;
}

/** See `Client.load`; `tell` hears the position now and then. */
export const load = (project: Project, steps = 0, tell: Tell = () => {}): Promise<Loaded> =>
  inTurn((ends) => loaded(project, steps, tell, ends));

type Tell = (position: number) => void;

async function loaded(project: Project, steps: number, tell: Tell, ends: () => boolean): Promise<Loaded> {
  close();
  moved = false;
  const { name, text, inputs } = project;
  const none = { inferred: undefined, missing: [], code: [], state: undefined };
  if (isTest(project)) {
    const outcomes = litmusOutcomes(project);
    return { ...none, problems: outcomes.problems, fields: [], entries: [], demands: [], outcomes };
  }
  const source = new Source(name, text);
  const { options: sizes, fields } = sizesOf(inputs);
  const read = (given: RunCommandOptions) => loadText(source, given, () => performance.now());
  const asked = read(sizes);
  const entries = entriesOf(asked.value?.module ?? openModule(new Device(), source, {}).value);
  // Of several kernels the first one, unless somebody has chosen.
  const [entry = ""] = asked.value === undefined && sizes.entry === undefined && entries.length > 1 ? entries : [];
  const options = entry === "" ? sizes : { ...sizes, entry };
  const { value, diagnostics } = entry === "" ? asked : read(options);
  const found = sorted(diagnostics, source);
  if (value === undefined) {
    const problems = lintedAnd(source, found.text);
    return { ...none, problems, fields: [...fields, ...found.fields], entries, demands: [] };
  }
  const demands = demandsOf(value.kernel, value.module);
  if (fields.length > 0) {
    const problems = found.text.map((each) => problemOf(each, source));
    return { ...none, problems, fields: [...fields, ...found.fields], entries, demands };
  }
  const typed = withValues(options, inputs, demands);
  const isOpen = demands.some(
    ({ kind, name: each }) => kind !== "variable" && (inputs.values[each] ?? "").trim() === "",
  );
  const inferred = isOpen
    ? await inferredOnce(project, inferring(source, value, typed, demands), tell, ends)
    : undefined;
  const given = filled(entry === "" ? inputs : { ...inputs, entry }, inferred);
  const launch = withValues(sizesOf(given).options, given, demands);
  const begun = begin(source, launch, steps > 0);
  const { missing = [] } = current?.program.footing.inputs ?? {};
  if (current !== undefined && missing.length === 0 && steps > 0) await runTo(steps, source, launch, tell, ends);
  return {
    problems: begun.text.map((each) => problemOf(each, source)),
    fields: begun.fields,
    entries,
    demands,
    inferred,
    missing: missing.map((each) => each.name),
    code: value.kernel.program.code.map(({ span }) => ({
      from: span.start,
      to: span.end,
      line: source.position(span.start).line,
    })),
    state: current && shown(current),
  };
}

/** Whether somebody has moved since the program was loaded. */
let moved = false;

/** Where it stands: of a launch that has run by itself nothing is marked as changed, whichever thread is looked at. */
function shown(here: Standing): State {
  const state = stateOf(here);
  return moved ? state : { ...state, registers: state.registers.map((each) => ({ ...each, changed: false })) };
}

/** What was inferred last, and for what. */
let known: { readonly of: string; readonly inferred: Inferred | undefined } | undefined;

/** Infers between messages, and not again for the same fields. */
async function inferredOnce(
  { name, text, inputs }: Project,
  work: ReturnType<typeof inferring>,
  tell: Tell,
  ends: () => boolean,
): Promise<Inferred | undefined> {
  const { race: _, ...fields } = inputs;
  const of = JSON.stringify([name, text, fields]);
  if (known?.of === of) return known.inferred;
  const inferred = await inPieces(work, () => tell(0), ends);
  if (!ends()) known = { of, inferred };
  return inferred;
}

/** Begins a launch, in the place of one that was there; with a look for races where that is wanted or `short`. */
function begin(source: Source, launch: RunCommandOptions, short: boolean) {
  close();
  const printed: { position: number; text: string }[] = [];
  let left = MOST_PRINTED;
  const io = pageIo((text) => {
    if (left <= 0) return;
    left -= text.length;
    const shown = left > 0 ? text : `${text}\n[what is printed after this is not kept]\n`;
    printed.push({ position: current?.program.debugger.position ?? 0, text: shown });
  });
  const race = launch.sanitize.race === true || short;
  const options = { ...launch, sanitize: { ...launch.sanitize, race } };
  const { value: program, diagnostics } = LoadedProgram.load(source, options, io);
  if (program !== undefined) current = { source, options, program, printed, before: contentsOf(program) };
  return sorted(diagnostics, source);
}

/**
 * Runs so many warp instructions, past breakpoints. Races are looked for in the first ones; where those are not all and have none,
 * it begins again without, which takes far less time.
 */
async function runTo(
  steps: number,
  source: Source,
  launch: RunCommandOptions,
  tell: Tell,
  ends: () => boolean,
): Promise<void> {
  const go = (to: number): Promise<State> => {
    const here = standing();
    return driven(here.program.debugger.motions.goTo(to), here, tell, ends);
  };
  const always = launch.sanitize.race === true;
  let { stop, findings } = await go(always ? steps : Math.min(steps, SHORT));
  if (stop.reason !== "step" || ends()) return;
  if (!always && steps > SHORT) {
    if (findings.length === 0) begin(source, launch, false);
    ({ stop, findings } = await go(steps));
  }
  if (current !== undefined && stop.reason === "step") current = { ...current, bound: steps };
}

/** What is wrong with a text, and what only its launch could find. */
function lintedAnd(source: Source, found: readonly Diagnostic[]) {
  const linted = problemsOf(source);
  if (linted.some(({ severity }) => severity === "error")) return linted;
  const others = found.filter(({ code }) => linted.every((each) => each.code !== code));
  return [...linted, ...others.map((each) => problemOf(each, source))];
}

/** Kernels, or functions where there is none. */
function entriesOf(module: Module | undefined): readonly string[] {
  if (module === undefined) return [];
  return module.entries.length > 0 ? module.entries : module.functions;
}

function close(): void {
  current?.program.debugger.session.close();
  current = undefined;
  course?.close();
  course = undefined;
  points = [];
}

/** See `Client.stop`. */
export function stop(): void {
  ended = asked;
}

/** See `Client.move`; `tell` hears the position now and then. */
export const move = (move: Move, tell: Tell): Promise<State> =>
  inTurn(async (ends) => {
    const here = standing();
    moved = true;
    const { focus } = here.program.debugger;
    await inPieces(motionOf(here.program.debugger, move), () => tell(here.program.debugger.position), ends);
    if (move.kind === "goTo") keepFocus(here, focus);
    return stateOf(here);
  });

/** Who goes through time looks at the same thread, although it may have ended there; one that has not begun there is left. */
function keepFocus({ program }: Standing, focus: Thread): void {
  try {
    program.debugger.focus = focus;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

function motionOf({ motions }: Debugger, move: Move): Motion {
  switch (move.kind) {
    case "step":
      return motions.step();
    case "stepBack":
      return motions.stepBack();
    case "over":
      return motions.next();
    case "overBack":
      return motions.nextBack();
    case "out":
      return motions.finish();
    case "outBack":
      return motions.finishBack();
    case "run":
      return motions.continue();
    case "runBack":
      return motions.continueBack();
    case "restart":
      return motions.goTo(0);
    case "goTo":
      return motions.goTo(move.position);
  }
}

/** Does a motion with pauses in which messages come in. */
async function driven(motion: Motion, here: Standing, tell: Tell, ends: () => boolean): Promise<State> {
  await inPieces(motion, () => tell(here.program.debugger.position), ends);
  return stateOf(here);
}

/** Does work with pauses in which messages come in; `tell` is called now and then. */
async function inPieces<T>(work: Sliced<T>, tell: () => void, ends: () => boolean): Promise<T> {
  let told = performance.now();
  let rested = told;
  for (let piece = work.next(false); ; piece = work.next(ends())) {
    if (piece.done) return piece.value;
    const now = performance.now();
    if (now - rested < PIECE) continue;
    if (now - told > PROGRESS) {
      tell();
      told = now;
    }
    await rest();
    rested = performance.now();
  }
}

/** Lets messages come in. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

/** See `Client.breakpoints`. */
export function breakpoints(lines: readonly number[]): readonly number[] {
  const { program, source } = standing();
  const { code } = program.debugger.session.program;
  for (const point of points) program.debugger.delete(point);
  const places = code.map(({ span }) => source.position(span.start).line);
  const moved = [...new Set(lines)].flatMap((line) => {
    const below = places.filter((each) => each >= line);
    return below.length === 0 ? [] : [Math.min(...below)];
  });
  const all = [...new Set(moved)].sort((a, b) => a - b);
  points = all.map((line) => program.debugger.breakAt(places.indexOf(line)));
  return all;
}

/** See `Client.focus`. */
export function focus(thread: Thread): State {
  const here = standing();
  here.program.debugger.focus = thread;
  return shown(here);
}

/** See `Client.lanes`. */
export function lanes(): LaneRegisters {
  const { program } = standing();
  const { debugger: debugger_ } = program;
  const { block, warp, lane } = debugger_.focus;
  const view = debugger_.warps().find((each) => each.block === block && each.warp === warp);
  const active = view?.groups.find(({ mask }) => (mask >>> lane) & 1)?.mask ?? 0;
  const count = debugger_.session.state?.context.lanes ?? 32;
  // Where nothing runs any more, each lane that there was.
  const exists = (at: number): boolean => debugger_.machine.exists({ block, warp, lane: at });
  const ended = Array.from({ length: count }, (_, at) => at).reduce((mask, at) => mask | (exists(at) ? 1 << at : 0), 0);
  const threads = view?.threads ?? ended;
  const rows = Array.from({ length: count }, (_, at) =>
    (threads >>> at) & 1 ? debugger_.registers({ block, warp, lane: at }) : undefined,
  );
  return {
    live: view?.live ?? 0,
    active: active >>> 0,
    registers: debugger_.registers().map(({ name, type, width }, at) => ({
      name,
      type,
      width,
      bits: rows.map((registers) => {
        const bits = registers?.[at]?.bits;
        return bits?.reduce((sum, each, element) => sum | (each << BigInt(element * width)), 0n);
      }),
    })),
  };
}

/** See `Client.memory`. */
export function memory(space: Space, address: bigint, bytes: number): MemoryBytes {
  const here = standing();
  for (let length = bytes; length > 0; length = Math.floor(length / 2)) {
    const now = bytesAt(here, space, address, length);
    if (now === undefined) continue;
    const place = buffersOf(here).find(
      (each) => each.space === space && each.address <= address && address < each.address + BigInt(each.bytes),
    );
    const before = place && here.before.get(place.name);
    const from = Number(address - (place?.address ?? 0n));
    return { bytes: now, ...(before && { before: before.slice(from, from + length) }) };
  }
  return { bytes: new Uint8Array(0) };
}

const courseOf = (): Course => {
  course ??= new Course(standing(), (motion, ends) => inPieces(motion, () => {}, ends));
  return course;
};

/** See `Client.strip`. */
export const strip = async (): Promise<Strip> => courseOf().strip();

/** See `Client.values`. */
export const values = async (): Promise<LineValues | undefined> => courseOf().values();

/** See `Client.lineHistory`. */
export const lineHistory = (line: number): LineHistory | undefined => course?.history(line);

/** The position before the focused thread was last in a line. */
export function lastAt(line: number | undefined): number | undefined {
  const behind = line === undefined ? undefined : lineHistory(line)?.last[0]?.position;
  return behind === undefined ? undefined : behind - 1;
}

/** See `Client.origin`. */
export const origin = (place: ValuePlace, type: string): Promise<Origin | undefined> =>
  inTurn(() => originOf(standing(), place, type));

/** See `Client.outcomes`. */
export const outcomes = (): Outcomes => outcomesOf(standing());

/** What `ptxrun run --json` prints of the state here. */
export function finalState(): unknown {
  const { program, options } = standing();
  const { loaded, inputs } = program.footing;
  const { selection } = select([], loaded, inputs, undefined);
  const { value } = finalStateOf(program.debugger.session, selection, options, inputs.registers);
  return { steps: program.debugger.position, ...stateToJson(value) };
}
