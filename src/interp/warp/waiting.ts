import type { Related } from "../../source/diagnostic.ts";
import { unlinear } from "../contract/launch/dim3.ts";
import type { Context } from "../state/context.ts";
import type { Parked, Warp } from "../state/warp.ts";
import { barrierNeeds } from "./barrier-needs.ts";

/** Groups of lanes that a message lists at most. */
const MOST_LISTED = 12;

/** Warps next to each other whose lanes wait alike. */
interface Waiting {
  readonly first: Warp;
  last: Warp;
  readonly group: Parked;
  readonly text: string;
}

/**
 * Describes which lanes wait where, an entry for each group, warps that wait alike in one; groups beyond the limit are only counted.
 * `counted`: with the number of threads that a barrier still waits for.
 */
export function waitingPlaces(warps: readonly Warp[], { program, grid }: Context, counted = false): readonly Related[] {
  const { source, code } = program;
  const all: Waiting[] = [];
  for (const warp of warps)
    for (const group of warp.parked) {
      const { mask, pc, on } = group;
      const missing = counted && on.kind === "barrier" ? (barrierNeeds(warp.ctaSync, on.number)?.missing ?? 0) : 0;
      const more = missing === 0 ? "" : ` for ${missing} more thread${missing === 1 ? "" : "s"}`;
      const text = `${waitsFor(on, code[pc]!.opcode)}${more}`;
      const before = all.find(
        ({ last, group, ...each }) =>
          last.block === warp.block &&
          last.index === warp.index - 1 &&
          group.mask === mask &&
          group.pc === pc &&
          each.text === text,
      );
      if (before === undefined) all.push({ first: warp, last: warp, group, text });
      else before.last = warp;
    }
  const listed = all.slice(0, MOST_LISTED).map(({ first, last, group, text }): Related => {
    const warps = first === last ? `warp ${first.index}` : `warps ${first.index} to ${last.index}`;
    const block = unlinear(first.block, grid).join(",");
    const message = `${lanesIn(group.mask)} of ${warps}, block (${block}), ${text}`;
    return { source, span: code[group.pc]!.span, message };
  });
  const last = all[MOST_LISTED];
  if (last === undefined) return listed;
  const message = `and ${all.length - MOST_LISTED} more groups of lanes`;
  return [...listed, { source, span: code[last.group.pc]!.span, message }];
}

function waitsFor(on: Parked["on"], opcode: string): string {
  if (on.kind === "barrier") return `${on.site.act === "arrive" ? "arrive" : "wait"} at barrier ${on.number}`;
  if (on.kind === "until") return `wait for ${on.until.what()}`;
  if (on.kind === "cluster") return "wait for the cluster";
  if (on.kind === "tensor memory")
    return on.group === 2 && on.act === "dealloc"
      ? "wait for the peer block to deallocate as well"
      : `wait for ${on.columns} columns of tensor memory${on.group === 2 ? ", and for the peer block" : ""}`;
  if (on.kind === "warp") return `wait at ${opcode} for all of the warp`;
  return `wait at ${opcode} for the lanes of 0x${on.members.toString(16)}`;
}

/** `lane 3`, `lanes 0 to 15, 17`. */
export function lanesIn(mask: number): string {
  const runs: string[] = [];
  for (let lane = 0; lane < 32; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const first = lane;
    while (lane < 31 && (mask >>> (lane + 1)) & 1) lane++;
    runs.push(first === lane ? `${lane}` : `${first} to ${lane}`);
  }
  return `${/^\d+$/.test(runs.join(", ")) ? "lane" : "lanes"} ${runs.join(", ")}`;
}
