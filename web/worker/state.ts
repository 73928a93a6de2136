import type { LoadedProgram } from "../../packages/debugger/console/program/loaded-program.ts";
import type { DebugStop } from "../../src/host/debugger/debugger.ts";
import { isElementType } from "../../src/host/index.ts";
import { bytesOf } from "../../src/host/memory/element.ts";
import type { Plan } from "../../src/interp/contract/plan/plan.ts";
import { barrierNeeds } from "../../src/interp/warp/barrier-needs.ts";
import { launchExtents } from "../../src/launch/extents.ts";
import { codes } from "../../src/source/index.ts";
import type { BufferPlace, Problem, RegisterValue, Space, State, Stop, WarpPlaces, Written } from "../page/client.ts";
import { readParameters } from "./demands.ts";
import { problemOf } from "./problem.ts";
import type { Standing } from "./standing.ts";
import { strangeOf } from "./strange.ts";

/** What a person sees of a launch at once. */
export function stateOf(standing: Standing): State {
  const { program, source, printed } = standing;
  const { debugger: debugger_ } = program;
  const { session, focus, position, furthest } = debugger_;
  const pc = debugger_.pcOf();
  const [blocks, threads] = sizesOf(standing);
  const stop = stopOf(standing, debugger_.stop);
  const ended = ["exit", "fault", "bound", "interrupt"].includes(stop.reason);
  return {
    position,
    furthest,
    focus,
    blocks,
    threads,
    pc,
    stop,
    lanes: session.state?.context.lanes ?? 32,
    line: lineAt(standing, pc),
    frames: debugger_.where().map((frame) => ({ name: frame.name, line: lineAt(standing, frame.pc) })),
    registers: debugger_.registers().map((each): RegisterValue => ({ ...each, bits: [...each.bits] })),
    warps: warpsOf(standing),
    barriers: debugger_.barriers().map(({ block, number, threads, arrived }) => ({ block, number, threads, arrived })),
    buffers: buffersOf(standing),
    findings: session.findings.slice(0, MOST_FINDINGS).map((each) => titled(problemOf(each, source))),
    race: standing.options.sanitize.race === true,
    written: ended ? writtenIn(standing) : [],
    strange: ended ? strangeOf(standing, buffersOf(standing)) : [],
    relaxed: blocks * threads > 1 && session.program.code.some(({ plan }) => isRelaxed(plan)),
    printed: printed
      .filter((each) => each.position < position)
      .map(({ text }) => text)
      .join(""),
  };
}

/** Whether it reads what others may write, without an order to what they wrote before. */
const isRelaxed = (plan: Plan): boolean => plan.shape === "load" && (plan.sem === "relaxed" || plan.sem === "volatile");

/** A finding with the title of its code. */
function titled(problem: Problem): Problem {
  const title = codes.get(problem.code)?.title;
  return title === undefined ? problem : { ...problem, title };
}

/** The line of the text that an instruction stands in; undefined for none. */
export function lineAt({ source, program }: Standing, pc: number | undefined): number | undefined {
  const span = pc === undefined ? undefined : program.debugger.session.program.code[pc]?.span;
  return span && source.position(span.start).line;
}

/** Blocks of the launch, and threads of a block. */
export function sizesOf({ program, options }: Standing): readonly [blocks: number, threads: number] {
  const { grid, block } = launchExtents(program.debugger.session.program, options);
  return [grid[0] * grid[1] * grid[2], block[0] * block[1] * block[2]];
}

/** Findings that are shown. */
const MOST_FINDINGS = 100;

/** Warps that are shown; more run at once only where blocks are small. */
const MOST_WARPS = 64;

function warpsOf(standing: Standing): readonly WarpPlaces[] {
  return standing.program.debugger
    .warps()
    .slice(0, MOST_WARPS)
    .map(({ block, warp, threads, live, groups }) => ({
      block,
      warp,
      threads,
      live,
      groups: groups.map(({ mask, pc, state, barrier, members }) => ({
        mask,
        pc,
        line: lineAt(standing, pc),
        does: doing(state, barrier, members),
      })),
    }));
}

function doing(state: string, barrier: number | undefined, members: number | undefined): string {
  if (state === "running") return "runs";
  if (state === "ready") return "next in turn";
  if (state === "barrier") return `waits at barrier ${barrier}`;
  if (state === "cluster") return "waits for the cluster";
  return state === "lanes" ? `waits for lanes 0x${members?.toString(16)}` : "waits";
}

/** Memory that has a name. */
export function buffersOf(standing: Standing): readonly BufferPlace[] {
  const { inputs, loaded } = standing.program.footing;
  const { variables } = loaded.kernel.program;
  const planes = planesOf(standing);
  return [
    ...inputs.buffers.map(({ name, type, buffer }): BufferPlace => {
      const { address, bytes } = buffer;
      const wide = planes.find(([x, y]) => x * y * bytesOf(type) === bytes);
      return { name, type, space: "global", address, bytes, ...(wide && { wide }) };
    }),
    ...(loaded.module?.variables ?? []).flatMap((name): readonly BufferPlace[] => {
      const buffer = loaded.module?.variable(name);
      if (buffer === undefined) return [];
      return [{ name, type: "b8", space: "global", address: buffer.address, bytes: buffer.bytes }];
    }),
    ...variables.map(({ name, type, space, offset, bytes }): BufferPlace => {
      return { name, type, space, address: BigInt(offset), bytes };
    }),
  ];
}

/**
 * What a buffer of two dimensions may measure, of a launch that has threads along x and y: as much as those, or what is passed as two
 * sizes, or one, that are no larger.
 */
function planesOf({ program, options }: Standing): readonly (readonly [x: number, y: number])[] {
  const { grid, block } = launchExtents(program.debugger.session.program, options);
  const [x, y] = [grid[0] * block[0], grid[1] * block[1]];
  if (x < 2 || y < 2) return [];
  const sizes = (options.arg ?? []).flatMap((text) => Number(/=(\d+)$/.exec(text)?.[1] ?? 0) || []);
  const pairs = sizes.flatMap((wide, at) => sizes.slice(at).map((high) => [wide, high] as const));
  return [[x, y], ...pairs.filter(([wide, high]) => wide > 1 && wide <= x && high > 1 && high <= y)];
}

/** Bytes that are kept of a launch's memory as it was before. */
const MOST_BEFORE = 2 ** 26;

/** What buffers and variables hold, as far as all of it can be kept. */
export function contentsOf(program: LoadedProgram): ReadonlyMap<string, Uint8Array> {
  const { inputs, loaded } = program.footing;
  const all = [
    ...inputs.buffers,
    ...(loaded.module?.variables ?? []).map((name) => ({ name, buffer: loaded.module?.variable(name) })),
  ];
  let left = MOST_BEFORE;
  return new Map(
    all.flatMap(({ name, buffer }): [string, Uint8Array][] => {
      left -= buffer?.bytes ?? 0;
      return buffer === undefined || left < 0 ? [] : [[name, buffer.read().slice()]];
    }),
  );
}

/** Bytes of memory as they are now; undefined where it does not go so far. */
export function bytesAt({ program }: Standing, space: Space, address: bigint, bytes: number): Uint8Array | undefined {
  try {
    return program.debugger.read(space, address, bytes).slice();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Buffers and variables that hold something else than before the launch; those that are only written come first. */
function writtenIn(standing: Standing): readonly Written[] {
  const read = readParameters(standing.program.footing.loaded.kernel.program);
  const places = buffersOf(standing).toSorted((a, b) => Number(read.has(a.name)) - Number(read.has(b.name)));
  return places.flatMap(({ name, type, space, address, bytes }): Written[] => {
    const before = standing.before.get(name);
    const now = before && bytesAt(standing, space, address, bytes);
    if (before === undefined || now === undefined) return [];
    const each = isElementType(type) ? bytesOf(type) : 1;
    let changed = 0;
    for (let at = 0; at < bytes; at += each)
      for (let byte = at; byte < at + each; byte++)
        if (now[byte] !== before[byte]) {
          changed++;
          break;
        }
    return changed === 0 ? [] : [{ name, type, count: bytes / each, changed }];
  });
}

const beginning: Stop = { reason: "start", text: "at the beginning: nothing has run yet" };

function stopOf(standing: Standing, stop: DebugStop): Stop {
  const at = standing.program.debugger.session.program;
  switch (stop.reason) {
    case "start":
      return beginning;
    case "step":
      if (stop.step === 0) return beginning;
      if (standing.bound === stop.step)
        return {
          reason: "bound",
          text: `stopped after ${steps(stop.step)}, the limit of automatic runs${waiters(standing)}`,
        };
      return { reason: "step", text: `after ${steps(stop.step)}` };
    case "interrupt":
      return { reason: "interrupt", text: `stopped after ${steps(stop.step)}` };
    case "breakpoint":
      return { reason: "breakpoint", text: `at the breakpoint on line ${lineAt(standing, stop.pc) ?? "?"}` };
    case "watchpoint":
    case "access":
      return { reason: "watchpoint", text: `changed by ${at.code[stop.writer]?.opcode ?? "?"}` };
    case "catch":
      return { reason: "catch", text: `${stop.event} on line ${lineAt(standing, stop.cause) ?? "?"}` };
    case "trap": {
      const problem = problemOf(stop.diagnostic, standing.source);
      const line = lineAt(standing, stop.pc);
      const where = line === undefined ? "" : ` on line ${line}`;
      return { reason: "fault", text: `fault${where}: ${problem.message}`, problem };
    }
    case "exit":
      return { reason: "exit", text: `the program has ended after ${steps(stop.step)}` };
  }
}

/** `; barrier 0 needs all threads of the block: 16 have arrived, 16 run`. */
function waiters({ program }: Standing): string {
  const slot = program.debugger.session.state?.scheduler.slots.find(
    ({ running, ctaSync }) => running && ctaSync.openBarriers > 0,
  );
  if (slot === undefined) return "";
  const { ctaSync } = slot;
  return ctaSync.barriers
    .map((_, number) => barrierNeeds(ctaSync, number))
    .flatMap((each) => (each === undefined ? [] : `; ${each.text}`))
    .join("");
}

const steps = (count: number): string => `${count.toLocaleString("en")} warp instruction${count === 1 ? "" : "s"}`;
