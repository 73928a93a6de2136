import { isElementType } from "../../src/host/index.ts";
import { bytesOf } from "../../src/host/memory/element.ts";
import { placeName } from "../../src/host/place-name.ts";
import {
  type Banks,
  globalSectors,
  localSectors,
  type Sectors,
  sharedBanks,
  type Touch,
} from "../../src/host/stats/transactions.ts";
import { bytesTouched, touchesOf } from "../../src/interp/contract/plan/effects.ts";
import type { PlannedAccess } from "../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { Instruction } from "../../src/interp/contract/program.ts";
import type { StateSpace } from "../../src/interp/contract/space.ts";
import { spaceOf } from "../../src/interp/contract/window.ts";
import { number } from "../../src/present/value.ts";
import type { Space, Thread, WorkingRow } from "../page/client.ts";
import type { Standing } from "./standing.ts";
import { bytesAt } from "./state.ts";

/** More than a lane can access at once: such copies do not go through the banks lane by lane. */
const WIDEST = 16;

/**
 * What an instruction that comes next does in memory: the place that the focused lane's address leads to, what lies there, and how many
 * transactions the accesses of its warp are.
 */
export function accessRows(standing: Standing, instruction: Instruction): readonly WorkingRow[] {
  const { session, focus } = standing.program.debugger;
  const { operands, plan, opcode } = instruction;
  return touchesOf(plan).flatMap((touch): WorkingRow[] => {
    const address = addressOf(standing, focus, instruction, touch);
    if (address === undefined || touch.lines !== undefined) return [];
    const space = touch.space === "generic" ? (spaceOf(address) ?? "global") : touch.space;
    const bytes = bytesTouched(touch, operands);
    const place = placeName(session, address, touch.space);
    const held = touch.how === "store" ? undefined : bytesAt(standing, space as Space, address, bytes);
    return [
      {
        label: "[a]",
        text: `${place === undefined ? `no buffer or variable of ${space}` : `${place.name}+${place.offset}`}, 0x${address.toString(16)}`,
      },
      ...(held === undefined || held.length < bytes
        ? []
        : [{ label: "holds", text: heldText(held, opcode, touch.bytes) }]),
      ...transactions(lanesAt(standing, instruction, touch, space), space, bytes),
    ];
  });
}

/** The address of a thread's access; undefined where its guard keeps it from it. */
function addressOf(
  { program: { debugger: debugger_ } }: Standing,
  thread: Thread,
  { guard, operands }: Instruction,
  touch: PlannedAccess,
): bigint | undefined {
  const { session } = debugger_;
  const operand = operands[touch.address];
  if (operand === undefined) return undefined;
  const kept = guard && session.operand(thread, { kind: "predicate", ...guard })[0] === 0n;
  return kept ? undefined : session.operand(thread, operand)[0];
}

/** Where the lanes that execute it together access the same space as the focused one. */
function lanesAt(standing: Standing, instruction: Instruction, touch: PlannedAccess, space: StateSpace): Touch[] {
  const { debugger: debugger_ } = standing.program;
  const { block, warp, lane } = debugger_.focus;
  const groups = debugger_.warps().find((each) => each.block === block && each.warp === warp)?.groups;
  const mask = groups?.find((each) => (each.mask >>> lane) & 1)?.mask ?? 0;
  return Array.from({ length: 32 }, (_, at) => at).flatMap((at): Touch[] => {
    if (!((mask >>> at) & 1)) return [];
    const address = addressOf(standing, { block, warp, lane: at }, instruction, touch);
    if (address === undefined || (touch.space === "generic" && (spaceOf(address) ?? "global") !== space)) return [];
    return [{ lane: at, address: Number(address & 0xffff_ffffn) }];
  });
}

function transactions(touches: readonly Touch[], space: StateSpace, bytes: number): readonly WorkingRow[] {
  const lanes = `of ${plural(touches.length, "lane")}`;
  if (space === "shared" && bytes <= WIDEST)
    return [{ label: "banks", text: banksText(sharedBanks(touches, bytes), lanes) }];
  if (space === "global") return [{ label: "sectors", text: sectorsText(globalSectors(touches, bytes), lanes) }];
  return space === "local" ? [{ label: "sectors", text: sectorsText(localSectors(touches, bytes), lanes) }] : [];
}

/** `32-way bank conflict: 32 passes of 32 lanes, where 1 would do`. */
function banksText({ parts, passes }: Banks, lanes: string): string {
  if (passes <= parts) return `no bank conflict: ${plural(passes, "pass")} ${lanes}`;
  const ways = passes / parts;
  const many = Number.isInteger(ways) ? `${ways}-way bank conflict` : "bank conflicts";
  return `${many}: ${plural(passes, "pass")} ${lanes}, where ${parts} would do`;
}

function sectorsText({ touched, fewest }: Sectors, lanes: string): string {
  const many = `${plural(touched, "sector")} of 32 bytes for the accesses ${lanes}`;
  return touched <= fewest ? `${many}, as few as can be` : `${many}, where ${fewest} would do`;
}

const plural = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : what.endsWith("s") ? "es" : "s"}`;

/** Bytes as the instruction's type has them, element by element. */
function heldText(held: Uint8Array, opcode: string, bytes: number): string {
  const named = opcode.split(".").findLast((word) => isElementType(word) && bytesOf(word) === bytes);
  return Array.from({ length: held.length / bytes }, (_, at) => {
    const own = held.subarray(at * bytes, (at + 1) * bytes);
    const bits = own.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return number(bits, named ?? `b${8 * bytes}`);
  }).join(", ");
}
