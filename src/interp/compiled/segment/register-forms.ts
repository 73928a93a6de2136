import { type Constant, constantValue } from "../../contract/constant.ts";
import { keysOf, Liveness, type RegisterKey } from "../../contract/liveness.ts";
import { writtenBy } from "../../contract/plan/effects.ts";
import type { Instruction, Program } from "../../contract/program.ts";
import { isUniform, type LaneForm, LaneForms, type RegisterForms } from "./lane-forms.ts";
import type { LanesInRow } from "./lanes-in-row.ts";
import type { ConstantSlots } from "./registers.ts";
import { type Access, loadsParameter, type Segment, type StepSegment, segmentsOf } from "./segment.ts";

/**
 * The registers that hold the same whenever a lane reads them: one instruction alone writes them, under no guard, of what is
 * such a register itself, of parameters and of special registers. None is read before it is written.
 */
export function registerForms(program: Program, constants: ConstantSlots, inRow: LanesInRow): RegisterForms {
  const forms = new Map<RegisterKey, LaneForm>();
  const once = writtenOnce(program);
  if (once === undefined) return forms;
  for (const { bank, slot, name } of program.specials) {
    const form = formOfSpecial(name, inRow);
    if (form !== undefined) forms.set(`${bank}${slot}`, form);
  }
  for (const { bank, slot } of program.constants) forms.set(`${bank}${slot}`, uniform);
  const unseen = { observable: false, observed: false, fused: false };
  for (const [pc, instruction] of program.code.entries()) {
    const { guard, operands, plan } = instruction;
    if (guard !== undefined || !written(instruction).some((key) => once.has(key))) continue;
    const reads = operands.slice(writtenBy(plan)).flatMap(keysOf);
    if (!reads.every((key) => forms.has(key))) continue;
    const [segment] = segmentsOf(program, constants, pc, pc + 1, unseen);
    if (segment?.kind !== "loop") continue;
    const lanes = formsIn(segment, forms);
    for (const [key, value] of segment.registers.written) {
      const form = once.has(key) ? lanes.of(value) : undefined;
      if (form !== undefined) forms.set(key, form);
    }
  }
  return forms;
}

/**
 * The numbers of the program's text, and the registers that hold one whenever a lane reads them: one instruction alone moves it there,
 * under no guard, as compilers have it for operands of shuffles.
 */
export function knownConstants(program: Program): readonly Constant[] {
  const once = writtenOnce(program);
  if (once === undefined) return program.constants;
  const moved = program.code.flatMap(({ plan, guard, operands: [to, from] }): readonly Constant[] => {
    if (plan.shape !== "move" || guard !== undefined || to?.kind !== "slot" || to.bank !== "r") return [];
    const value = once.has(`r${to.slot}`) && from?.kind === "slot" && from.bank === "r" && constantValue(from, program);
    return typeof value === "bigint" ? [{ bank: "r", slot: to.slot, value }] : [];
  });
  return [...program.constants, ...moved];
}

/** Registers that one instruction alone writes, and that none reads before; undefined where calls hide what happens. */
function writtenOnce(program: Program): ReadonlySet<RegisterKey> | undefined {
  const { code, dispatchSlot } = program;
  const { atStart } = Liveness.of(program);
  if (atStart === undefined || dispatchSlot !== undefined || code.some(({ plan }) => plan.shape === "call"))
    return undefined;
  const writes = new Map<RegisterKey, number>();
  for (const key of code.flatMap(written)) writes.set(key, (writes.get(key) ?? 0) + 1);
  for (const key of atStart) writes.delete(key);
  return new Set([...writes].flatMap(([key, count]) => (count === 1 ? [key] : [])));
}

/** The forms of what a segment computes; `together` where all lanes of the warp execute it. */
export function formsIn(segment: Segment, registers: RegisterForms, together = false): LaneForms {
  const forms: LaneForms = new LaneForms(segment.registers.inputs, registers, (at) => {
    const access = segment.accesses[at]!;
    return loadsParameter(access) || (together && loadsOnce(access, forms));
  });
  return forms;
}

/** Whether all lanes load from one place. */
const loadsOnce = ({ act, group: { when, address } }: Access, forms: LaneForms): boolean =>
  act === "load" &&
  when === undefined &&
  isUniform(forms.narrow(address.base)) &&
  (address.start === undefined || isUniform(forms.narrow(address.start)));

/** What is known of registers behind a segment that all lanes of a warp execute, from what is known before it. */
export function formsBehind(
  segment: Segment | StepSegment,
  { code }: Program,
  before: RegisterForms,
  lanes?: LaneForms,
): RegisterForms {
  const known = new Map(before);
  if (segment.kind === "step") for (const key of written(code[segment.from]!)) known.delete(key);
  else {
    const forms = lanes ?? formsIn(segment, before, true);
    for (const [key, value] of segment.registers.written) {
      const form = forms.of(value);
      if (form === undefined) known.delete(key);
      else known.set(key, form);
    }
  }
  return known;
}

/**
 * What of `forms` still holds at the beginning of a loop of these segments, however often all lanes of a warp have gone through it
 * together.
 */
export function formsInLoop(
  segments: readonly (Segment | StepSegment)[],
  program: Program,
  forms: RegisterForms,
): RegisterForms {
  let known = forms;
  for (;;) {
    const behind = segments.reduce((before, segment) => formsBehind(segment, program, before), known);
    const kept = new Map([...known].filter(([key, form]) => isSame(form, behind.get(key))));
    if (kept.size === known.size) return known;
    known = kept;
  }
}

const isSame = (a: LaneForm, b: LaneForm | undefined): boolean =>
  a.step === b?.step && a.whole === b.whole && a.jumps === b.jumps;

const written = ({ plan, operands }: Instruction): readonly RegisterKey[] =>
  operands.slice(0, writtenBy(plan)).flatMap((operand) => (operand?.kind === "address" ? [] : keysOf(operand)));

const uniform: LaneForm = { step: 0, whole: true, jumps: false };

/** Only %tid, %laneid and the masks of lanes differ within a warp. */
function formOfSpecial(name: string, inRow: LanesInRow): LaneForm | undefined {
  if (name === "laneid") return { ...uniform, step: 1 };
  if (name.startsWith("lanemask_")) return undefined;
  if (!name.startsWith("tid.")) return uniform;
  return inRow === 1 ? undefined : { step: name === "tid.x" ? 1 : 0, whole: inRow === 32, jumps: false };
}
