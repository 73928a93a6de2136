import { LoadedProgram } from "../../packages/debugger/console/program/loaded-program.ts";
import type { Debugger, Motion } from "../../src/host/debugger/debugger.ts";
import { Device, type Module } from "../../src/host/index.ts";
import { lint } from "../../src/host/lint.ts";
import { finalState as finalStateOf, select } from "../../src/launch/dump/dump.ts";
import { load as loadText, openModule } from "../../src/launch/program.ts";
import { stateToJson } from "../../src/present/state.ts";
import { type Diagnostic, hasErrors } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";
import type {
  LaneRegisters,
  LineHistory,
  Loaded,
  MemoryBytes,
  Move,
  Project,
  Recorded,
  Space,
  State,
  Thread,
} from "../page/client.ts";
import { Course } from "./course.ts";
import { demandsOf } from "./demands.ts";
import { pageIo } from "./environment.ts";
import { sizesOf, sorted, withValues } from "./inputs.ts";
import { problemOf } from "./problem.ts";
import type { Standing } from "./standing.ts";
import { stateOf } from "./state.ts";

/** Milliseconds that a move goes on without hearing messages, and between two words about how far it is. */
const PIECE = 40;
const PROGRESS = 100;

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

/** See `Client.load`. */
export const load = (project: Project): Promise<Loaded> => inTurn(() => loaded(project));

function loaded(project: Project): Loaded {
  close();
  const { name, text, inputs } = project;
  const source = new Source(name, text);
  const { options, fields } = sizesOf(inputs);
  const { value, diagnostics } = loadText(source, options, () => performance.now());
  const entries = entriesOf(value?.module ?? openModule(new Device(), source, {}).value);
  const found = sorted(diagnostics, source);
  if (value === undefined || fields.length > 0) {
    const demands = value === undefined ? [] : demandsOf(value.kernel, value.module);
    const problems =
      value === undefined ? lintedAnd(source, found.text) : found.text.map((each) => problemOf(each, source));
    return { problems, fields: [...fields, ...found.fields], entries, demands, code: [], state: undefined };
  }
  const demands = demandsOf(value.kernel, value.module);
  const launch = withValues(options, inputs, demands);
  const printed: { position: number; text: string }[] = [];
  let left = MOST_PRINTED;
  const io = pageIo((text) => {
    if (left <= 0) return;
    left -= text.length;
    const shown = left > 0 ? text : `${text}\n[what is printed after this is not kept]\n`;
    printed.push({ position: current?.program.debugger.position ?? 0, text: shown });
  });
  const started = LoadedProgram.load(source, launch, io);
  const all = sorted(started.diagnostics, source);
  const code = value.kernel.program.code.map(({ span }) => ({
    from: span.start,
    to: span.end,
    line: source.position(span.start).line,
  }));
  if (started.value !== undefined) current = { source, options: launch, program: started.value, printed };
  return {
    problems: all.text.map((each) => problemOf(each, source)),
    fields: all.fields,
    entries,
    demands,
    code,
    state: current && stateOf(current),
  };
}

/** What is wrong with a text, and what only its launch could find. */
function lintedAnd(source: Source, found: readonly Diagnostic[]) {
  const linted = lint(source);
  const all = hasErrors(linted)
    ? linted
    : [...linted, ...found.filter(({ code }) => linted.every((each) => each.code !== code))];
  return all.map((each) => problemOf(each, source));
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
export const move = (move: Move, tell: (position: number) => void): Promise<State> =>
  inTurn(async (ends) => {
    const here = standing();
    const { focus } = here.program.debugger;
    let told = performance.now();
    await inPieces(motionOf(here.program.debugger, move), ends, (now) => {
      if (now - told < PROGRESS) return;
      told = now;
      tell(here.program.debugger.position);
    });
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

/** Does a motion with pauses in which messages come in; `pause` is told the time at each. */
async function inPieces(motion: Motion, ends: () => boolean, pause?: (now: number) => void): Promise<void> {
  for (let rested = performance.now(), piece = motion.next(false); !piece.done; piece = motion.next(ends())) {
    const now = performance.now();
    if (now - rested < PIECE) continue;
    pause?.(now);
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
  return stateOf(here);
}

/** See `Client.lanes`. */
export function lanes(): LaneRegisters {
  const { program } = standing();
  const { debugger: debugger_ } = program;
  const { block, warp, lane } = debugger_.focus;
  const view = debugger_.warps().find((each) => each.block === block && each.warp === warp);
  const active = view?.groups.find(({ mask }) => (mask >>> lane) & 1)?.mask ?? 0;
  const count = debugger_.session.state?.context.lanes ?? 32;
  const threads = view?.threads ?? 1 << lane;
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
  const { debugger: debugger_ } = standing().program;
  for (let length = bytes; length > 0; length = Math.floor(length / 2)) {
    try {
      return { bytes: debugger_.read(space, address, length).slice() };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return { bytes: new Uint8Array(0) };
}

/** See `Client.record`. */
export function record(strip: number): Promise<Recorded | undefined> {
  course ??= new Course(standing());
  return course.record(strip, inPieces);
}

/** See `Client.lineHistory`. */
export const lineHistory = (line: number): LineHistory | undefined => course?.history(line);

/** What `ptxrun run --json` prints of the state here. */
export function finalState(): unknown {
  const { program, options } = standing();
  const { loaded, inputs } = program.footing;
  const { selection } = select([], loaded, inputs, undefined);
  const { value } = finalStateOf(program.debugger.session, selection, options, inputs.registers);
  return { steps: program.debugger.position, ...stateToJson(value) };
}
