import type { Io } from "../../environment/io.ts";
import type { Pace } from "../../environment/pace.ts";
import { bytesOf } from "../../host/memory/element.ts";
import type { ThreadId } from "../../interp/contract/thread-id.ts";
import { windows } from "../../interp/contract/window.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import { threadId } from "../../launch/extents.ts";
import { type Difference, differingElements, sharedMemory } from "./compare.ts";
import { type Cause, describe } from "./origin/describe.ts";
import { NEARLY } from "./origin/explanation.ts";
import { type Beginning, type DifferingPlace, explain, type Repeatable } from "./origin/find.ts";
import { printedDifference } from "./origin/printed.ts";
import { repairsOf } from "./origin/repair.ts";
import { repaired } from "./origin/repaired.ts";
import { type Ran, runSide, type SideOptions } from "./side.ts";
import { type Given, workbench } from "./workbench.ts";

/** Differing elements whose writes are looked at. */
const MOST_ELEMENTS = 1024;
/** Warp instructions that are run again at most, of both programs together. */
const MOST_STEPS = 400_000_000;

/** Where the first of some differences comes from; nothing where no instruction can be named. */
export async function causeOf(
  a: Given,
  b: Given,
  differences: readonly Difference[],
  io: Io,
  pace: Pace,
): Promise<Cause | undefined> {
  const budget = { left: MOST_STEPS };
  const numbers = new Map<string, bigint>();
  const one = repeatable(a, numbers, budget, io, pace);
  const other = repeatable(b, numbers, budget, io, pace);
  const beginning = await beginningOf(a, b, differences, one, other);
  if (beginning === undefined) return undefined;
  const found = await explain(one, other, beginning);
  if (found === undefined) return undefined;
  const programs = { a: a.ran.session.program, b: b.ran.session.program };
  const apart = found.hops.some(({ both }) => both.map.alike < NEARLY);
  const repairs = apart
    ? await repairsOf(found, programs, workbench({ a, b }, { a: one.plain, b: other.plain }, io, pace))
    : undefined;
  return describe(repairs === undefined ? found : repaired(found, repairs), programs.a, programs.b);
}

interface Printing extends Repeatable {
  again(watch: (session: Session) => void, print?: (text: string) => void): Promise<Session | undefined>;
}

function repeatable(
  { source, options, ran }: Given,
  numbers: Map<string, bigint>,
  budget: { left: number },
  io: Io,
  pace: Pace,
): Printing {
  const quiet = { ...options, dump: [] };
  return {
    plain: plainAddresses(ran.named, numbers),
    again: async (watch, print = () => {}) => {
      if (ran.steps > budget.left) return undefined;
      budget.left -= ran.steps;
      const side = await runSide(source, quiet, io, pace, { session: watch, print });
      return side.ran?.signal === undefined ? side.ran?.session : undefined;
    },
  };
}

/** Makes an address of a named piece of memory the same in all runs, and a generic one that of its space. */
function plainAddresses(named: Ran["named"], numbers: Map<string, bigint>): (bits: bigint) => bigint {
  const pieces = named.map(({ key, address, bytes }) => {
    const number = numbers.get(key) ?? BigInt(numbers.size + 1);
    numbers.set(key, number);
    return { address, end: address + BigInt(bytes), base: number << 64n };
  });
  return (bits) => {
    const high = Number(bits >> 32n);
    if (high === windows.shared || high === windows.local) return BigInt.asUintN(32, bits);
    for (const { address, end, base } of pieces) if (bits >= address && bits < end) return base + bits - address;
    return bits;
  };
}

async function beginningOf(
  { ran: a, options }: Given,
  { ran: b }: Given,
  differences: readonly Difference[],
  one: Printing,
  other: Printing,
): Promise<Beginning | undefined> {
  // A program that faults has left its other results undone.
  for (const { stop } of [b, a])
    if (stop.reason === "trap" && differences.some(({ what }) => what === "stop"))
      return { kind: "thread", thread: stop.at };
  const places = placesOf(a, b, options);
  if (places.length > 0) return { kind: "memory", places };
  if (differences.some(({ what }) => what === "printed")) {
    const thread = await printedDifference(one, other);
    return thread && { kind: "thread", thread };
  }
  const register = differences.find(({ what }) => what === "register");
  if (register?.block === undefined || register.thread === undefined) return undefined;
  const thread: ThreadId = threadId({ block: register.block, thread: register.thread }, a.session.program);
  return { kind: "thread", thread, register: [register.name] };
}

function placesOf(a: Ran, b: Ran, { tolerance }: SideOptions): readonly DifferingPlace[] {
  const places: DifferingPlace[] = [];
  for (const { a: inA, b: inB } of sharedMemory(a, b)) {
    if (inA.buffer.bytes !== inB.buffer.bytes) continue;
    const size = bytesOf(inA.type);
    for (const { index } of differingElements(inA, inB, tolerance)) {
      if (places.length >= MOST_ELEMENTS) return places;
      const single = inA.buffer.bytes <= size;
      places.push({
        name: single ? inA.name : `${inA.name}[${index}]`,
        placeIn: (side, session) => {
          const { address } = (side === "a" ? inA : inB).buffer;
          const bytes = Math.min(size, inA.buffer.bytes - index * size);
          const where = new MachineView(session).bufferOffset("global", address + BigInt(index * size), bytes);
          return where === undefined ? undefined : { where, bytes };
        },
      });
    }
  }
  return places;
}
