import type { Code } from "../../source/codes/index.ts";
import type { Diagnostic, Related } from "../../source/diagnostic.ts";
import { type Dim3, unlinear } from "../contract/launch/dim3.ts";
import { kernelName } from "../contract/launch/kernel-name.ts";
import { LANES } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Instruction, Program } from "../contract/program.ts";
import type { Warp } from "./warp.ts";

/** Calls that a message shows at most, the innermost ones. */
const MAX_SHOWN_CALLS = 6;

/** The calls that a lane is in, innermost first, as related places of a diagnostic; none in the kernel itself. */
function callChain(program: Program, warp: Warp, lane: number): readonly Related[] {
  const { functions, code, source } = program;
  const found: Related[] = [];
  const calleeName = (callee: number | undefined): string =>
    callee === undefined ? kernelName(program) : (functions[callee]?.name ?? "a function");
  for (let at = warp.activations[lane]; at !== undefined && found.length < MAX_SHOWN_CALLS; at = at.caller) {
    const { span } = code[at.from]!;
    const more = found.length === MAX_SHOWN_CALLS - 1 && at.caller !== undefined ? `, ${at.depth} calls deep` : "";
    const message = `${calleeName(at.callee)} is called here, by ${calleeName(at.caller?.callee)}${more}`;
    found.push({ source, span, message });
  }
  return found;
}

/** A fault of the program. Steps throw it; the machine catches it once and makes a `Stop` of it. */
export class Fault {
  readonly code: Code;
  readonly lane: number;
  /** What happened; `report` adds the thread and the place. */
  readonly message: string;
  /** Other instructions involved. */
  readonly related: readonly Related[];
  /** The faulty instruction, where it is not the one that runs. */
  readonly pc: number | undefined;
  /** Advice to the reader. */
  readonly help: readonly string[];

  constructor(
    code: Code,
    lane: number,
    message: string,
    related: readonly Related[] = [],
    pc?: number,
    help: readonly string[] = [],
  ) {
    this.code = code;
    this.lane = lane;
    this.message = message;
    this.related = related;
    this.pc = pc;
    this.help = help;
  }
}

/** The thread's name: `thread (3,0,0) of block (1,0,0)`. */
export const who = (warp: Warp, lane: number, grid: Dim3, block: Dim3, width?: number): string =>
  whoIs({ block: warp.block, warp: warp.index, lane }, grid, block, width);

/** The same by number; `width` is how many work-items a SIMD thread does, each of which is named. */
export function whoIs({ block: index, warp, lane }: ThreadId, grid: Dim3, block: Dim3, width: number = LANES): string {
  const thread = unlinear(warp * width + lane, block).join(",");
  return `thread (${thread}) of block (${unlinear(index, grid).join(",")})`;
}

/** A fault as a diagnostic, with the other instructions involved and advice. */
export function reportFault(
  context: { program: Program; grid: Dim3; block: Dim3 },
  warp: Warp,
  { code, lane, message, related, help, pc = warp.pc }: Fault,
): Diagnostic {
  const made = report(context, warp, lane, code, message, pc);
  const ways = [...(made.help ?? []), ...help.map((text) => ({ message: text }))];
  return { ...made, ...(related.length > 0 && { related }), ...(ways.length > 0 && { help: ways }) };
}

/** What a lane's instruction did, as a diagnostic at the instruction that the warp is at, or at `pc`. */
export function report(
  { program, grid, block }: { program: Program; grid: Dim3; block: Dim3 },
  warp: Warp,
  lane: number,
  code: Code,
  what: string,
  pc: number = warp.pc,
): Diagnostic {
  const { opcode, span, location } = program.code[pc]!;
  const message = `${opcode} ${what}, in ${who(warp, lane, grid, block, program.simd?.width)}`;
  const from =
    location === undefined ? {} : { compiledFrom: location, help: [{ message: `compiled from ${place(location)}` }] };
  const calls = callChain(program, warp, lane);
  return {
    code,
    severity: "error",
    message,
    source: program.source,
    span,
    thread: { block: warp.block, warp: warp.index, lane },
    ...(calls.length > 0 && { related: calls }),
    ...from,
  };
}

/** `collatz.cu:12:5`; a column of 0 means that the compiler knew none. */
const place = ({ file, line, column }: NonNullable<Instruction["location"]>): string =>
  column === 0 ? `${file}:${line}` : `${file}:${line}:${column}`;
