import type { DebugStop } from "../../src/host/debugger/debugger.ts";
import { launchExtents } from "../../src/launch/extents.ts";
import type { BufferPlace, RegisterValue, State, Stop, WarpPlaces } from "../page/client.ts";
import { problemOf } from "./problem.ts";
import type { Standing } from "./standing.ts";

/** What a person sees of a launch at once. */
export function stateOf(standing: Standing): State {
  const { program, source, printed } = standing;
  const { debugger: debugger_ } = program;
  const { session, focus, position, furthest } = debugger_;
  const pc = debugger_.pcOf();
  const [blocks, threads] = sizesOf(standing);
  return {
    position,
    furthest,
    focus,
    blocks,
    threads,
    pc,
    stop: stopOf(standing, debugger_.stop),
    lanes: session.state?.context.lanes ?? 32,
    line: lineAt(standing, pc),
    frames: debugger_.where().map((frame) => ({ name: frame.name, line: lineAt(standing, frame.pc) })),
    registers: debugger_.registers().map((each): RegisterValue => ({ ...each, bits: [...each.bits] })),
    warps: warpsOf(standing),
    barriers: debugger_.barriers().map(({ block, number, threads, arrived }) => ({ block, number, threads, arrived })),
    buffers: buffersOf(standing),
    findings: session.findings.slice(0, MOST_FINDINGS).map((each) => problemOf(each, source)),
    printed: printed
      .filter((each) => each.position < position)
      .map(({ text }) => text)
      .join(""),
  };
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

function buffersOf({ program }: Standing): readonly BufferPlace[] {
  const { inputs, loaded } = program.footing;
  const { variables } = loaded.kernel.program;
  return [
    ...inputs.buffers.map(({ name, type, buffer }): BufferPlace => {
      const { address, bytes } = buffer;
      return { name, type, space: "global", address, bytes };
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

function stopOf(standing: Standing, stop: DebugStop): Stop {
  const at = standing.program.debugger.session.program;
  switch (stop.reason) {
    case "start":
      return { reason: "start", text: "at the beginning: nothing has run yet" };
    case "step":
      return { reason: "step", text: `after ${steps(stop.step)}` };
    case "interrupt":
      return { reason: "interrupt", text: `stopped after ${steps(stop.step)}` };
    case "breakpoint":
      return { reason: "breakpoint", text: `at the breakpoint in line ${lineAt(standing, stop.pc) ?? "?"}` };
    case "watchpoint":
    case "access":
      return { reason: "watchpoint", text: `changed by ${at.code[stop.writer]?.opcode ?? "?"}` };
    case "catch":
      return { reason: "catch", text: `${stop.event} in line ${lineAt(standing, stop.cause) ?? "?"}` };
    case "trap": {
      const problem = problemOf(stop.diagnostic, standing.source);
      const line = lineAt(standing, stop.pc);
      const where = line === undefined ? "" : ` in line ${line}`;
      return { reason: "fault", text: `fault${where}: ${problem.message}`, problem };
    }
    case "exit":
      return { reason: "exit", text: `the program has ended after ${steps(stop.step)}` };
  }
}

const steps = (count: number): string => `${count} warp instruction${count === 1 ? "" : "s"}`;
