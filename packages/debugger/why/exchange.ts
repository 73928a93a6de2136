import { lanesOf } from "../../../src/interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { writtenBy } from "../../../src/interp/contract/plan/effects.ts";
import type { Instruction } from "../../../src/interp/contract/program.ts";
import { amongLanes } from "../../../src/numeric/lower/warp.ts";
import type { WarpOperation } from "../../../src/numeric/operation/warp.ts";
import { operationTypes } from "../../../src/present/working/type.ts";
import type { Asked, Lead, Made, Reader } from "./lead.ts";
import { below } from "./log.ts";
import { strangeIn } from "./meaning.ts";

/** Lanes whose values are followed where all of them count. */
const MOST_LANES = 3;

/** What a lane got from other lanes of its warp: of a shuffle the one lane that it read. */
export function exchangedLeads(
  op: WarpOperation,
  { plan, operands }: Instruction,
  step: number,
  thread: ThreadId,
  { type, value }: Asked,
  reader: Reader,
): Made {
  const { past } = reader;
  const { block, warp, lane } = thread;
  const { exchanges } = past.log;
  const first = below(exchanges, step, (each) => each.step);
  const done = exchanges
    .slice(first)
    .find((each) => each.block === block && each.warp === warp && (each.lanes >>> lane) & 1);
  if (done === undefined) return { operands: [], leads: [], note: "waits for other lanes" };
  const read = operands.slice(writtenBy(plan));
  const [a] = read;
  if (a === undefined || a.kind === "vector") return { operands: [], leads: [] };
  /** The operand of a lane, which has waited since its last instruction. */
  const of = (other: number, operand: Operand): bigint =>
    past.operand(arrival(other), { block, warp, lane: other }, operand)[0] ?? 0n;
  const arrival = (other: number): number => {
    const steps = past.log.stepsOf(block, warp);
    return steps.findLast((each) => each <= done.step && (past.log.active(each) >>> other) & 1) ?? done.step;
  };
  const lanes = lanesOf(done.lanes);
  const leadOf = (other: number, as: string): Lead => {
    const lead = reader.lead(arrival(other), { block, warp, lane: other }, a, as);
    return { ...lead, value: { ...lead.value, name: `${lead.value.name} of lane ${other}` } };
  };
  if (op.among === "shuffle") {
    const [, b, c] = read;
    if (b === undefined || c === undefined) return { operands: [], leads: [] };
    const column = (each: (other: number) => bigint | number) => Uint32Array.from({ length: 32 }, (_, at) => Number(lanes.includes(at) ? each(at) : 0)); // biome-ignore format: one row
    const results = [new Uint32Array(32), new Uint32Array(1)];
    amongLanes(op)(results, [column((each) => each), column((each) => of(each, b)), column((each) => of(each, c))], done.lanes, 32); // biome-ignore format: one row
    const from = results[0]?.[lane] ?? lane;
    const lead = leadOf(from, type);
    const strange = strangeIn(type, value) !== undefined;
    const which = [b, c]
      .map((each) => reader.lead(step, thread, each, "u32"))
      .filter(({ sought }) => sought && !strange);
    return { operands: [lead.value], leads: [lead, ...which.map((each): Lead => ({ ...each, role: "choice" }))] };
  }
  if (op.among === "vote") {
    const votes = lanes.map((each) => ({ each, holds: of(each, a) === 1n }));
    const decisive = op.mode === "all" ? votes.filter(({ holds }) => !holds) : votes.filter(({ holds }) => holds);
    const told = (decisive.length > 0 ? decisive : votes).map(({ each }) => leadOf(each, "pred"));
    const count = votes.filter(({ holds }) => holds).length;
    return {
      operands: [],
      leads: told.slice(0, op.mode === "ballot" ? MOST_LANES : 1),
      note: `holds in ${count} of ${votes.length} lanes`,
    };
  }
  const as = op.among === "reduce" ? (operationTypes(op.join).takes[0] ?? type) : type;
  const all = lanes.map((each) => leadOf(each, as));
  const strange = all.find(
    ({ value: own }) => strangeIn(as, own.bits) !== undefined && strangeIn(as, own.bits) === strangeIn(as, value),
  );
  return { operands: [], leads: strange === undefined ? all : [strange], type: as, note: `of ${lanes.length} lanes` };
}
