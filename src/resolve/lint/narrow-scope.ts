import { targetsOf } from "../../interp/contract/control-flow.ts";
import { keysOf } from "../../interp/contract/liveness.ts";
import { acquires, type PlannedFence, releases } from "../../interp/contract/memory-consistency.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import { bytesTouched, fenceOf, nextOf, reachOf, touchesOf, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { PlannedAccess } from "../../interp/contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import { match } from "../../isa/match/match.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { rewritten } from "./rewritten.ts";
import { RegistersOfThreads } from "./thread-values.ts";

/**
 * Warnings for orders of scope .cta about a flag between blocks (PTX9106): one that a loop polls at an address which is
 * the same in all blocks, in a kernel that asks which block it is. Looked at are the load that polls, what else
 * touches the flag, and the fences next to those.
 */
export function narrowScopes(program: Program): readonly Diagnostic[] {
  const { code, specials } = program;
  if (!specials.some(({ name }) => name.startsWith("ctaid")) || !code.some(isNarrow)) return [];
  const registers = new RegistersOfThreads(program);
  const polls = pollsOf(code);
  if (polls.length === 0) return [];
  const accesses = code.map((_, pc) => accessAt(pc, code, registers));
  const found = new Set<number>();
  for (const pc of polls) {
    const poll = accesses[pc];
    if (!poll?.ofGrid) continue;
    if (isNarrow(code[pc]!)) found.add(pc);
    const behind = fenceAfter(loopAround(pc, code), code);
    if (behind !== undefined && (isNarrow(code[pc]!) || !acquires(orderOf(code[pc]!)))) found.add(behind);
    for (const [at, access] of accesses.entries()) {
      if (at === pc || access === undefined || !isSame(access, poll)) continue;
      if (isNarrow(code[at]!)) found.add(at);
      const before = access.how === "load" ? undefined : fenceBefore(at, code);
      if (before !== undefined && (isNarrow(code[at]!) || !releases(orderOf(code[at]!)))) found.add(before);
    }
  }
  return [...found].sort((a, b) => a - b).map((pc) => diagnostic(code[pc]!, program));
}

/** An access or a fence with the scope of one block. */
function isNarrow({ plan }: Instruction): boolean {
  const [touch] = touchesOf(plan);
  if (touch !== undefined) return touch.sem !== "weak" && touch.sem !== "volatile" && touch.scope === "cta";
  return fenceOf(plan)?.scope === "cta";
}

const orderOf = ({ plan }: Instruction): PlannedAccess["sem"] => touchesOf(plan)[0]?.sem ?? "weak";
/** Instructions of a loop that does nothing but wait. */
const LONGEST = 64;

/** The loads that spin: those whose value decides whether a loop of nothing else goes on. */
function pollsOf(code: readonly Instruction[]): readonly number[] {
  return code.flatMap((instruction, last) => {
    const [first] = targetsOf(instruction);
    if (instruction.plan.shape !== "branch" || first === undefined || first > last || last - first > LONGEST) return [];
    const body = code.slice(first, last + 1);
    const loads = body.filter(({ plan }) => touchesOf(plan).length > 0);
    const [load] = loads;
    if (load === undefined || loads.length > 1 || touchesOf(load.plan)[0]?.how === "store") return [];
    const plain = body.every(
      ({ plan }) => plan.shape === "branch" || (nextOf(plan) === "on" && reachOf(plan) !== "beyond"),
    );
    return plain && decides(load, body) ? [first + body.indexOf(load)] : [];
  });
}

/** Whether a branch of the loop depends on what an instruction gives. */
function decides(from: Instruction, body: readonly Instruction[]): boolean {
  const told = new Set(from.operands.slice(0, writtenBy(from.plan)).flatMap(keysOf));
  for (let before = -1; before !== told.size; ) {
    before = told.size;
    for (const { plan, operands } of body)
      if (operands.slice(writtenBy(plan)).some((operand) => keysOf(operand).some((key) => told.has(key))))
        for (const operand of operands.slice(0, writtenBy(plan))) for (const key of keysOf(operand)) told.add(key);
  }
  return body.some(({ plan, guard }) => plan.shape === "branch" && guard !== undefined && told.has(`p${guard.slot}`));
}

/** The last instruction of the loop that an instruction is in. */
const loopAround = (pc: number, code: readonly Instruction[]): number =>
  code.findIndex((each, at) => at >= pc && targetsOf(each).some((target) => target <= pc));

/** The fence that comes next, if no access and no branch comes first, and it is of one block only. */
function fenceAfter(last: number, code: readonly Instruction[]): number | undefined {
  for (let pc = last + 1; pc < code.length; pc++) {
    const { plan } = code[pc]!;
    if (fenceOf(plan)) return isOfBlock(fenceOf(plan)) ? pc : undefined;
    if (touchesOf(plan).length > 0 || nextOf(plan) !== "on") return undefined;
  }
  return undefined;
}

/** The fence before an access, on the straight way to it, if it is of one block only. */
function fenceBefore(at: number, code: readonly Instruction[]): number | undefined {
  for (let pc = at - 1; pc >= 0; pc--) {
    const { plan } = code[pc]!;
    if (fenceOf(plan)) return isOfBlock(fenceOf(plan)) ? pc : undefined;
    if (touchesOf(plan).length > 0 || nextOf(plan) !== "on") return undefined;
  }
  return undefined;
}

const isOfBlock = (fence: PlannedFence | undefined): boolean => fence?.scope === "cta";

/** Where an instruction touches global memory, as far as that can be followed. */
interface Access {
  readonly how: PlannedAccess["how"];
  readonly bytes: number;
  readonly place: readonly (bigint | number)[];
  readonly ofGrid: boolean;
}

function accessAt(pc: number, code: readonly Instruction[], registers: RegistersOfThreads): Access | undefined {
  const { plan, operands } = code[pc]!;
  const [touch] = touchesOf(plan);
  if (touch === undefined || (touch.space !== "global" && touch.space !== "generic")) return undefined;
  const operand: Operand | undefined = operands[touch.address];
  const values = registers.of(operand, pc);
  if (values === undefined) return undefined;
  const place = Array.from(
    { length: values.cells.length / registers.threads },
    (_, draw) => values.cells[draw * registers.threads]!,
  );
  const ofGrid = !values.ofBlock && !values.ofMemory;
  return { how: touch.how, bytes: bytesTouched(touch, operands), place, ofGrid };
}

const isSame = (a: Access, b: Access): boolean => a.place.every((at, draw) => at === b.place[draw]);

function diagnostic(instruction: Instruction, { source }: Program): Diagnostic {
  const { plan, opcode, span } = instruction;
  const fence = fenceOf(plan) !== undefined;
  const wide = ["gpu", "gl"].map((scope) => opcode.replace(/\.cta\b/, `.${scope}`)).find(isKnown);
  return {
    code: "PTX9106",
    severity: "warning",
    source,
    span,
    message: fence
      ? `${opcode} orders for one block, and the flag next to it is one that other blocks write or poll`
      : `${opcode} has scope .cta, and other blocks write or poll this flag`,
    expected: "a scope that includes the other blocks",
    help: wide === undefined ? [] : [rewritten(instruction, wide, "", source)],
  };
}

function isKnown(opcode: string): boolean {
  const [mnemonic = "", ...words] = opcode.split(".");
  return match(mnemonic, words, opcode).kind === "forms";
}
