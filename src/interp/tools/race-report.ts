import type { Diagnostic } from "../../source/diagnostic.ts";
import { type Dim3, unlinear } from "../contract/dim3.ts";
import { LANES } from "../contract/lane-mask.ts";
import { distance } from "../contract/memory-consistency.ts";
import { imagesOf, settles, touchesWithin } from "../contract/plan/effects.ts";
import type { Program } from "../contract/program.ts";
import { raceAsLitmus } from "./race-litmus.ts";
import { anyOrder, flagBetween } from "./race-order.ts";
import type { StrongLog } from "./race-strong.ts";
import type { RecordedAccess } from "./race-word.ts";
import type { Epoch } from "./vector-clock.ts";

/** What a message about a race needs to know of the launch. */
export interface RaceSite {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
}

/** Two accesses to one word, and what the later one does. */
export interface Race {
  readonly other: RecordedAccess;
  readonly now: RecordedAccess;
  readonly does: "reads" | "writes";
  readonly shared: boolean;
}

/** The message about two accesses that race: `now` is the later one. */
export function raceFinding(site: RaceSite, log: StrongLog, { other, now, does, shared }: Race): Diagnostic {
  const { program } = site;
  const [mine, its] = [program.code[now.pc]!, program.code[other.pc]!];
  const narrow = tooNarrow(other, now);
  const touches = touchesWithin(its.plan);
  // What is asynchronous touches nothing when it is executed.
  const asked = touches.length === 0 && settles(its.plan);
  const loads = !asked && touches.every(({ how }) => how === "load") && imagesOf(its.plan) !== "writes";
  const flag = narrow === undefined ? flagBetween(log, program, other, now) : undefined;
  const lacks = narrow !== undefined ? [narrow.help] : (flag?.lacks ?? [anyOrder(other, now)]);
  const small = raceAsLitmus({ other, now, wrote: !loads, writes: does === "writes", shared }, flag);
  const did = loads ? "read" : "written";
  return {
    code: "PTX4002",
    severity: "error",
    message: `${mine.opcode} ${does} what ${who(other, site)} has ${did} by ${its.opcode}, and nothing orders the two${narrow?.why ?? ""}, in ${who(now, site)}`,
    source: program.source,
    span: mine.span,
    related: [{ source: program.source, span: its.span, message: `${its.opcode}, in ${who(other, site)}` }],
    help: [
      ...lacks.map((message) => ({ message })),
      { message: `the bad outcome in small, which ptxrun litmus shows to be allowed:\n${small}` },
    ],
  };
}

function who({ thread }: Epoch, { program, grid, block }: RaceSite): string {
  const at = unlinear(thread.warp * (program.simd?.width ?? LANES) + thread.lane, block).join(",");
  return `thread (${at}) of block (${unlinear(thread.blockClock.block, grid).join(",")})`;
}

/** Why two strong accesses are not morally strong with each other, and what would make them so. */
function tooNarrow(other: RecordedAccess, now: RecordedAccess): { why: string; help: string } | undefined {
  const reach = Math.min(other.reach, now.reach);
  if (reach < 0) return undefined;
  const wide = distance(other.thread.blockClock, now.thread.blockClock) === 1 ? ".cluster" : ".gpu";
  return reach === 0
    ? { why: ": .cta does not include another block", help: `give both the scope ${wide}` }
    : { why: ": .cluster does not include a block of another cluster", help: `give both the scope ${wide}` };
}
