import type { Operand } from "../contract/operand.ts";
import type { FunctionCode } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import { report } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import { bytesOf, type CallArguments } from "./call-arguments.ts";

/**
 * Looks at the results that go from memory to registers, which do not know whether anything was written, and reports the
 * first whose bytes nothing has written: a note, as for other local memory. `pc` is that of the return.
 */
export function checkResults(
  { name, results: places }: FunctionCode,
  results: readonly Operand[],
  passed: CallArguments,
  words: readonly number[],
  context: Context,
): (warp: Warp, mask: number, pc: number) => void {
  const watched = places.flatMap((place, index) => {
    const to = results[index];
    const kept = place.kind === "memory" && to !== undefined && to.kind !== "address" && to.kind !== "sink";
    return kept && context.sanitize.init ? [{ word: words[index] ?? 0, bytes: bytesOf(place) }] : [];
  });
  if (watched.length === 0) return () => {};
  return (warp, mask, pc) => {
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!((mask >>> lane) & 1)) continue;
      for (const { word, bytes } of watched) {
        const unwritten = passed.unwritten(lane, word, bytes);
        if (unwritten === 0) continue;
        const which = unwritten === bytes ? "its result" : `${unwritten} of the ${bytes} bytes of its result`;
        const found = report(context, warp, lane, "PTX4001", `leaves ${name}, and nothing has written ${which}`, pc);
        context.report({ ...found, severity: "note" });
        return;
      }
    }
  };
}
