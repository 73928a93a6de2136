import { type Beyond, beyondText } from "../../contract/launch/beyond.ts";
import { firstLane, lowest } from "../../contract/launch/lane-mask.ts";
import { elements, type Operand, type SlotOperand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import type { Cell } from "../../contract/space.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import type { Step } from "../../state/warp.ts";
import { check } from "../check.ts";
import { locator } from "../locate.ts";
import { loadBytes, loadElement, storeBytes, storeElement } from "../transfer.ts";

/**
 * Wraps `access` to first report that it reaches beyond the variable that it names: an error if that is a parameter,
 * for other variables a note, if bounds checks were requested.
 */
function told(act: "load" | "store", bytes: number, beyond: Beyond, access: Step, context: Context): Step {
  const { sanitize, program } = context;
  const { name, parameter, span } = beyond;
  if (!(parameter ? sanitize.mem : sanitize.bounds)) return access;
  const what = beyondText(act, bytes, beyond);
  const declared = { source: program.source, span, message: `${name} is declared here` };
  return (warp) => {
    if (warp.active !== 0) {
      const found = report(context, warp, firstLane(warp.active), "PTX4051", what);
      const related = [declared, ...(found.related ?? [])];
      context.report({ ...found, related, ...(parameter ? {} : { severity: "note" }) });
    }
    access(warp);
  };
}

/** `d, [a]` or `{d, e, ...}, [a]`. */
export function load(
  { space, cell, beyond, unaligned }: Plan & { shape: "load" },
  [d, a]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const parts = elements(d);
  const bytes = (cell.bits / 8) * parts.length;
  const { locate, sum } = locator(a, space, bytes, context);
  const access = checkedAccess(
    locate,
    check({ kind: "load", space, bytes, sum, ...(unaligned && { align: 1 }) }, context),
    parts.flatMap((part, at) =>
      part.kind === "sink"
        ? []
        : [
            ...halves(part, cell).map(({ part, cell, offset }) =>
              (unaligned ? loadBytes : loadElement)(slot(part), cell, at * (bytes / parts.length) + offset, context),
            ),
            ...fill(slot(part), cell, context),
          ],
    ),
  );
  return beyond === undefined ? access : told("load", bytes, beyond, access, context);
}

/** The upper half of a 128-bit register behind a narrower cell: copies of its sign, or zeros (PTX ISA 9.4.1). */
export function fill({ slot, bits }: SlotOperand, cell: Cell, { lanes }: Context): readonly Step[] {
  if (bits !== 128 || cell.bits === 128) return [];
  const low = 2 * slot * lanes;
  const high = low + 2 * lanes;
  return [
    ({ w, active }) => {
      for (let lane = 0; lane < lanes; lane++) {
        if (!((active >>> lane) & 1)) continue;
        const sign = cell.signed ? w[low + 2 * lane + 1]! >> 31 : 0;
        w[high + 2 * lane] = sign;
        w[high + 2 * lane + 1] = sign;
      }
    },
  ];
}

/** `[a], b` or `[a], {b, c, ...}`. */
export function store(
  { space, cell, beyond, unaligned }: Plan & { shape: "store" },
  [a, b]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const parts = elements(b);
  const bytes = (cell.bits / 8) * parts.length;
  const { locate, sum } = locator(a, space, bytes, context);
  const access = checkedAccess(
    locate,
    check({ kind: "store", space, bytes, sum, ...(unaligned && { align: 1 }) }, context),
    parts.flatMap((part, at) =>
      halves(part, cell).map(({ part, cell, offset }) =>
        (unaligned ? storeBytes : storeElement)(slot(part), cell, at * (bytes / parts.length) + offset, context),
      ),
    ),
  );
  return beyond === undefined ? access : told("store", bytes, beyond, access, context);
}

/** `[a], size`: a write of undefined bits, so that the bytes count as never written (PTX ISA, discard). */
export function discard(
  { space, bytes }: Plan & { shape: "discard" },
  [a]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { locate, sum } = locator(a, space, bytes, context);
  const { memory, lanes, scratch } = context;
  const forget: Step = ({ active }) => {
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) memory.forget(scratch.at[lane]!, bytes);
  };
  return checkedAccess(locate, check({ kind: "store", space, bytes, sum }, context), [forget]);
}

/** A cell of 128 bits is two of 64, in two neighbouring slots. */
function halves(part: Operand, cell: Cell): readonly { part: Operand; cell: Cell; offset: number }[] {
  if (cell.bits !== 128) return [{ part, cell, offset: 0 }];
  const low = slot(part);
  const half: Cell = { bits: 64, signed: false };
  return [
    { part: { ...low, bits: 64 }, cell: half, offset: 0 },
    { part: { ...low, bits: 64, slot: low.slot + 1 }, cell: half, offset: 8 },
  ];
}

/** One access: addresses, checks, transfers. If a lane faults, the lanes below it complete; the fault is rethrown. */
export function checkedAccess(locate: Step, check: Step, transfers: readonly Step[]): Step {
  const only = transfers.length === 1 ? transfers[0] : undefined;
  const transfer: Step =
    only ??
    ((warp) => {
      for (const each of transfers) each(warp);
    });
  return (warp) => {
    locate(warp);
    try {
      check(warp);
    } catch (fault) {
      if (fault instanceof Fault) {
        const { active } = warp;
        warp.active = (active & lowest(fault.lane)) >>> 0;
        transfer(warp);
        warp.active = active;
      }
      throw fault;
    }
    transfer(warp);
  };
}
