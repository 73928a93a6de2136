import type { ElementAccess } from "../../../../src/interp/contract/launch/channels.ts";
import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../../src/interp/contract/operand.ts";
import type { Inner, Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Instruction, Program } from "../../../../src/interp/contract/program.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";

type Channelled = Plan & { readonly shape: "channels" };

/** An element of a variable of a SIMD thread: where it lies, and under what name a line may have it. */
interface ElementPlace {
  readonly address: bigint;
  readonly bytes: number;
  readonly access: ElementAccess;
}

/** What one channel does at an instruction. A scalar that is for all channels is each one's. */
export interface ChannelWork {
  /** What it reads, in the order of the line; a place for what lies in a variable. */
  readonly reads: readonly { readonly bits: bigint; readonly place?: ElementPlace; readonly predicate?: number }[];
  readonly writes: readonly ElementPlace[];
  /** All bytes that the instruction writes, of other channels, too. */
  readonly written: readonly { readonly from: bigint; readonly bytes: number }[];
  /** Predicates that it writes. */
  readonly predicates: readonly number[];
}

/** The steps of a plan, whatever %cr0 says: it changes how they round, and not what they read and write. */
const stepsOf = ({ inner }: Channelled): readonly Inner[] => (typeof inner === "function" ? inner(0) : inner);

/** What an instruction does: that of a SIMD thread as its message or computation would be done by one thread. */
export function shapeOf(instruction: Instruction | undefined): Plan["shape"] | undefined {
  const plan = instruction?.plan;
  if (plan?.shape !== "channels") return plan?.shape;
  return instruction?.opcode.startsWith("mov") ? "move" : stepsOf(plan).at(-1)?.plan.shape;
}

/** The predicate that guards an instruction. */
export const guardOf = ({ guard, plan }: Instruction): number | undefined =>
  guard?.slot ?? ("channels" in plan ? plan.channels?.predicate?.slot : undefined);

/** What a channel is about to do; undefined where the instruction is not for it. */
export function channelWork(session: Session, thread: ThreadId, plan: Channelled): ChannelWork | undefined {
  const { first, count } = plan.channels;
  const channel = count === 1 ? 0 : thread.lane - first;
  if (channel < 0 || channel >= count) return undefined;
  const placed = (access: ElementAccess, of = channel): ElementPlace | undefined => {
    const row = Math.floor(of / access.width);
    const behind = access.offset + row * access.rowStride + (of % access.width) * access.columnStride;
    const start = session.operand(thread, access.base)[0] ?? 0n;
    const pointer =
      access.pointers === undefined ? undefined : start + BigInt(access.pointers === "rows" ? 4 * row : 0);
    const from = pointer === undefined ? start : (start & ~0xffff_ffffn) | (read(session, pointer, 4) ?? 0n);
    return { address: from + BigInt(behind), bytes: access.cell.bits / 8, access };
  };
  const steps = stepsOf(plan);
  const last = steps.at(-1);
  const moves = last !== undefined && last.plan.shape !== "compute";
  const elementIn = (access: ElementAccess): ChannelWork["reads"] => {
    const place = placed(access);
    const bits = place && read(session, place.address, place.bytes);
    return place === undefined || bits === undefined ? [] : [{ bits, place }];
  };
  const loaded = (operand: Operand): ElementAccess | undefined =>
    plan.loads.find(({ slot }) => operand.kind === "slot" && slot.bank === operand.bank && slot.slot === operand.slot);
  const constants = new Set(session.program.constants.map(({ bank, slot }) => `${bank}${slot}`));
  const source = (operand: Operand | undefined): ChannelWork["reads"] => {
    if (operand === undefined) return [];
    const access = loaded(operand);
    if (access !== undefined) return elementIn(access);
    if (operand.kind === "predicate")
      return [{ bits: session.operand(thread, operand)[0] ?? 0n, predicate: operand.slot }];
    return operand.kind === "slot" && constants.has(`${operand.bank}${operand.slot}`)
      ? [{ bits: session.operand(thread, operand)[0] ?? 0n }]
      : [];
  };
  // A message has its address first, and then its data, as ld and st do.
  const [address] = plan.loads;
  const data = steps.flatMap(({ plan: { shape }, operands }) =>
    shape === "store" || shape === "atomic" ? operands.slice(1).flatMap((each) => (each && loaded(each)) ?? []) : [],
  );
  const reads = moves
    ? [...(address ? elementIn(address) : []), ...data.flatMap(elementIn)]
    : (last?.operands ?? []).slice(1).flatMap(source);
  return {
    reads,
    writes: plan.stores.flatMap((each) => placed(each) ?? []),
    written: plan.stores.flatMap((each) =>
      Array.from({ length: count }, (_, of) => placed(each, of)).flatMap((place) =>
        place === undefined ? [] : [{ from: place.address, bytes: place.bytes }],
      ),
    ),
    predicates: steps.flatMap(({ operands: [to] }) => (to?.kind === "predicate" ? [to.slot] : [])),
  };
}

/** Bytes of a variable as a number; undefined where there are none. */
export function read(session: Session, address: bigint, bytes: number): bigint | undefined {
  try {
    return session.read("global", address, bytes).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** The names of the variables that an instruction reads, and those that it writes, as its line has them. */
export function namesOf({ constants, simd }: Program, plan: Channelled, text: string) {
  const words = new Set(text.match(/%?[A-Za-z_]\w*/g));
  const nameOf = ({ base }: ElementAccess): string => {
    const value = constants.find(({ bank, slot }) => bank === base.bank && slot === base.slot)?.value;
    if (typeof value !== "object") return "";
    const view = simd?.views.find(
      ({ name, of, offset }) => words.has(name) && of === value.variable && BigInt(offset) === value.offset,
    );
    return view?.name ?? value.variable;
  };
  return { reads: plan.loads.map(nameOf), writes: plan.stores.map(nameOf) };
}
