import { shapeOf } from "./channels.ts";
import type { Both, From, OneRun } from "./follow.ts";
import type { Access, Ran } from "./step.ts";

/** A value of a run: the step that made it, unless it is a constant or an input. */
interface Value {
  readonly bits: bigint;
  readonly at: number | undefined;
}

/** Steps back at most. */
const DEEPEST = 20_000;

/**
 * Where two values begin to differ, in programs with different instructions: backwards from the steps that made
 * them, always to operands that the other run does not have, until both have the same operands.
 */
export function dataflow(both: Both, a: Value, b: Value): From | undefined {
  const { a: runA, b: runB } = both;
  const [knownA, knownB] = [allValues(runA), allValues(runB)];
  let [one, other] = [behindMoves(runA, a), behindMoves(runB, b)];
  const seen = new Set<string>();
  for (let depth = 0; depth < DEEPEST; depth++) {
    const key = `${one.at} ${other.at}`;
    const [stepA, stepB] = [stepOf(runA, one.at), stepOf(runB, other.at)];
    if (one.at === undefined || other.at === undefined || stepA === undefined || stepB === undefined || seen.has(key))
      return here(one.at, other.at, false);
    seen.add(key);
    const memory = inMemory(both, stepA, stepB);
    if (memory === "same") return { kind: "memory", a: one.at, b: other.at };
    if (stepA.peers !== undefined && stepB.peers !== undefined) {
      const lane = [...stepA.peers].find(([lane, read]) => stepB.peers?.get(lane) !== read)?.[0];
      if (lane !== undefined) return { kind: "lanes", lane, a: one.at, b: other.at };
    }
    // One place may be an address in one program, and an offset into a surface in the other.
    const behind = stepA.access && stepB.access && apartOf(both, stepA.access, stepB.access) === 0n ? 1 : 0;
    const [readsA, readsB] = [valuesOf(stepA).slice(behind), valuesOf(stepB).slice(behind)];
    let leftA = without(readsA, readsB, runA, runB);
    let leftB = without(readsB, readsA, runB, runA);
    const alike = mnemonic(runA, stepA) === mnemonic(runB, stepB) && readsA.length === readsB.length;
    if (leftA.length === 0 && leftB.length === 0) return here(one.at, other.at, true);
    if (!alike) {
      leftA = leftA.filter(({ bits }) => !knownB.has(runA.plain(bits)));
      leftB = leftB.filter(({ bits }) => !knownA.has(runB.plain(bits)));
    }
    const [wayA, wayB] = [choose(leftA), choose(leftB)];
    if (wayA?.at === undefined && wayB?.at === undefined) return here(one.at, other.at, alike);
    if (wayA?.at !== undefined) one = behindMoves(runA, wayA);
    if (wayB?.at !== undefined) other = behindMoves(runB, wayB);
  }
  return undefined;
}

const stepOf = ({ trace }: OneRun, at: number | undefined): Ran | undefined =>
  at === undefined ? undefined : trace.steps[at];

/** A value that an instruction made leads on; a constant does not. */
const choose = (left: readonly Value[]): Value | undefined => left.find(({ at }) => at !== undefined) ?? left[0];

const mnemonic = ({ program }: OneRun, { pc }: Ran): string => program.code[pc]?.opcode.split(".")[0] ?? "";

const valuesOf = ({ reads, from }: Ran): readonly Value[] => reads.map((bits, at) => ({ bits, at: from[at] }));

function allValues({ trace, plain }: OneRun): ReadonlySet<bigint> {
  const known = new Set<bigint>();
  for (const { results, reads } of trace.steps) for (const bits of [...results, ...reads]) known.add(plain(bits));
  return known;
}

/** The values of `list` that `other` lacks, counting repetitions. */
function without(list: readonly Value[], other: readonly Value[], run: OneRun, otherRun: OneRun): readonly Value[] {
  const there = other.map(({ bits }) => otherRun.plain(bits));
  return list.filter(({ bits }) => {
    const at = there.indexOf(run.plain(bits));
    if (at >= 0) there.splice(at, 1);
    return at < 0;
  });
}

/** The step that computed a value, before the steps that only move it, also through memory of the thread. */
function behindMoves(run: OneRun, value: Value): Value {
  let { at } = value;
  for (let left = DEEPEST; left > 0; left--) {
    const step = stepOf(run, at);
    if (at === undefined || step === undefined) break;
    const shape = shapeOf(run.program.code[step.pc]);
    const local = step.access === undefined || step.access.space === "local" || step.access.space === "param";
    let next: number | undefined;
    if (shape === "load") next = local ? step.from.slice(1).find((each) => each !== undefined) : undefined;
    else if (shape === "select") next = undefined;
    else if (shape === "store" ? local : shape === "move" || shape === "address" || step.reads.length === 1)
      next = step.reads
        .map((bits, index) => (same(bits, value.bits) ? step.from[index] : undefined))
        .find((each) => each !== undefined);
    if (next === undefined || next >= at) break;
    at = next;
  }
  return { bits: value.bits, at };
}

const same = (one: bigint, other: bigint): boolean => one === other || BigInt.asUintN(32, one) === other;

function inMemory({ a, b }: Both, one: Ran, other: Ran): "same" | undefined {
  const [accessA, accessB] = [one.access, other.access];
  if (accessA === undefined || accessB === undefined || accessA.space === "local" || accessA.space === "param")
    return undefined;
  if (accessA.how === "store" || accessB.how === "store" || accessA.space !== accessB.space) return undefined;
  // The operands of an atomic operation differ before its result does.
  const given = (run: OneRun, { reads }: Ran) => reads.slice(1).map(run.plain).join(" ");
  if (accessA.how === "atomic" && given(a, one) !== given(b, other)) return undefined;
  const apart = apartOf({ a, b }, accessA, accessB);
  return apart < BigInt(accessB.bytes) && -apart < BigInt(accessA.bytes) ? "same" : undefined;
}

const apartOf = ({ a, b }: Pick<Both, "a" | "b">, one: Access, other: Access): bigint =>
  a.plain(one.address) - b.plain(other.address);

/** Both have the same operands here, or one of them has a constant that the other lacks. */
function here(a: number | undefined, b: number | undefined, certain: boolean): From {
  const place = { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) };
  if (certain) return { kind: "here", why: "operation", ...place };
  return { kind: "here", why: "operand", ...place };
}
