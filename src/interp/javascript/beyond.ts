import { type Beyond, beyondText } from "../contract/beyond.ts";
import { firstLane } from "../contract/lane-mask.ts";
import type { Context } from "../state/context.ts";
import { report } from "../state/fault.ts";
import type { Step } from "../state/warp.ts";

/**
 * `access`, and before it the finding that it does not stay within the variable that it names: a mistake where that is a
 * parameter, a note for who asked for such where it is another variable.
 */
export function told(act: "load" | "store", bytes: number, beyond: Beyond, access: Step, context: Context): Step {
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
