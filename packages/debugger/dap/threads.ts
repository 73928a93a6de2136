import type { DebugProtocol } from "@vscode/debugprotocol";
import { firstLane } from "../../../src/interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { threadName } from "../console/expression/place.ts";
import type { Debuggee } from "./debuggee.ts";

/** Most threads that are listed; any other can be requested by its number. */
const MAX_LISTED_THREADS = 64;

/**
 * The threads that a client lists: the focused one, then one for each group of converged lanes, those of its warp
 * first, then of its block, then of others.
 */
export function threadsOf(debuggee: Debuggee): DebugProtocol.Thread[] {
  const { focus } = debuggee.debugger;
  const near = ({ block, warp }: { readonly block: number; readonly warp: number }): number =>
    block !== focus.block ? 2 : warp === focus.warp ? 0 : 1;
  const groups = debuggee.debugger
    .warps()
    .flatMap(({ block, warp, groups: own }) => own.map(({ mask, state }) => ({ block, warp, mask, state })))
    .sort((a, b) => near(a) - near(b));
  const list = new Map<number, DebugProtocol.Thread>();
  const take = (thread: ThreadId, more: string): void => {
    const id = debuggee.numberOf(thread);
    if (!list.has(id)) list.set(id, { id, name: `${threadName(thread, debuggee.debugger.session.program)}${more}` });
  };
  const lives = debuggee.debugger.machine.exists(focus);
  if (lives) take(focus, " (focus)");
  for (const { block, warp, mask, state } of groups) {
    if (list.size >= MAX_LISTED_THREADS) break;
    const own = block === focus.block && warp === focus.warp && ((mask >>> focus.lane) & 1) === 1;
    const many = lanesIn(mask);
    if (!own) take({ block, warp, lane: firstLane(mask) }, `${many > 1 ? `, ${many} lanes` : ""}, ${wordOf(state)}`);
  }
  return [...list.values()];
}

const wordOf = (state: string): string =>
  state === "running" || state === "ready"
    ? "runs"
    : state === "barrier" || state === "cluster"
      ? "at a barrier"
      : "waits";

function lanesIn(mask: number): number {
  let count = 0;
  for (let left = mask >>> 0; left !== 0; left &= left - 1) count++;
  return count;
}
