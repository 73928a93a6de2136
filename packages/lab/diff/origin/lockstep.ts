import type { Both, From } from "./follow.ts";
import type { Ran } from "./step.ts";

/**
 * Where a thread of two programs with nearly the same code first differs: walks both traces together, and skips steps
 * that only one of them has. Nothing, when all recorded steps are the same.
 */
export function lockstep({ a, b, map }: Both): From | undefined {
  const [stepsA, stepsB] = [a.trace.steps, b.trace.steps];
  /** The last matched pair of steps, and the unmatched steps since then. */
  let last: { readonly a: number; readonly b: number } | undefined;
  for (let [atA, atB] = [0, 0]; ; atA++, atB++) {
    const onlyA: number[] = [];
    const onlyB: number[] = [];
    while (isLone(stepsA[atA], map.forth)) onlyA.push(atA++);
    while (isLone(stepsB[atB], map.back)) onlyB.push(atB++);
    const [one, other] = [stepsA[atA], stepsB[atB]];
    if (one === undefined && other === undefined) return undefined;
    if (one === undefined || other === undefined || map.forth.get(one.pc) !== other.pc) {
      if ((one === undefined && a.trace.cut) || (other === undefined && b.trace.cut)) return undefined;
      const [lateA, lateB] = [onlyA.at(-1), onlyB.at(-1)];
      if (lateA !== undefined || lateB !== undefined) return { kind: "here", why: "only", ...only(lateA, lateB) };
      return { kind: "here", why: "course", ...last };
    }
    const found = atStep(one, other, atA, atB, { a, b, map });
    if (found !== undefined) return found;
    last = { a: atA, b: atB };
  }
}

/** Whether a step's instruction is missing in the other program. */
const isLone = (step: Ran | undefined, known: ReadonlyMap<number, number>): boolean =>
  step !== undefined && !known.has(step.pc);

const only = (a: number | undefined, b: number | undefined) => ({
  ...(a === undefined ? {} : { a }),
  ...(b === undefined ? {} : { b }),
});

function atStep(one: Ran, other: Ran, a: number, b: number, both: Both): From | undefined {
  if (one.taken !== other.taken) return fromRegisters(one, other, both) ?? { kind: "here", why: "guard", a, b };
  const reads = !alike(one.reads, other.reads, both);
  // Operations of one shape without a result may still differ: another opcode for the same
  // operands.
  const opcodes = both.a.program.code[one.pc]?.opcode !== both.b.program.code[other.pc]?.opcode;
  const effect = one.access !== undefined && one.access.how !== "load" && opcodes;
  const results = !alike(one.results, other.results, both);
  if (!results && !effect && !(reads && matters(one))) return undefined;
  if (reads) return fromRegisters(one, other, both) ?? { kind: "here", why: "operand", a, b };
  const { access } = one;
  const lane = [...(one.peers ?? [])].find(([lane, read]) => other.peers?.get(lane) !== read)?.[0];
  if (lane !== undefined) return { kind: "lanes", lane, a, b };
  const same =
    access !== undefined &&
    other.access !== undefined &&
    access.space === other.access.space &&
    both.a.plain(access.address) === both.b.plain(other.access.address) &&
    access.bytes === other.access.bytes;
  if (same && access.how !== "store" && !opcodes) return { kind: "memory", a, b };
  return { kind: "here", why: "operation", a, b };
}

/** A step without results whose operands differ: only its effect on memory counts. */
const matters = ({ results, access }: Ran): boolean => results.length === 0 && access !== undefined;

/** The step that only one program has and that made an operand. */
function fromRegisters(one: Ran, other: Ran, { a, b, map }: Both): From | undefined {
  const makers = (step: Ran) => [...step.from, step.guardFrom];
  const lone = (list: readonly (number | undefined)[], steps: readonly Ran[], known: ReadonlyMap<number, number>) =>
    list.find((at) => at !== undefined && isLone(steps[at], known));
  const fromA = lone(makers(one), a.trace.steps, map.forth);
  const fromB = lone(makers(other), b.trace.steps, map.back);
  if (fromA === undefined && fromB === undefined) return undefined;
  return { kind: "here", why: "only", ...only(fromA, fromB) };
}

const alike = (one: readonly bigint[], other: readonly bigint[], { a, b }: Both): boolean =>
  one.length === other.length &&
  one.every((bits, at) => bits === other[at] || a.plain(bits) === b.plain(other[at] ?? 0n));
