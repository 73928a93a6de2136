import type { Debugger } from "../../host/debugger/debugger.ts";
import type { ThreadId } from "../../interp/contract/thread-id.ts";
import { changes } from "../../interp/javascript/bind-other.ts";

/** A special register of a thread, `tid.x` or `clock`; undefined where there is none of that name. */
export function specialValue(name: string, thread: ThreadId, debugger_: Debugger): bigint | undefined {
  const value = debugger_.session.special(name, thread);
  if (value !== undefined) return BigInt(value >>> 0);
  if (name.endsWith(".w")) return 0n;
  if (!changes.has(name)) return undefined;
  if (name.startsWith("pm")) return 0n;
  const position = BigInt(debugger_.position);
  return name.endsWith("_hi")
    ? position >> 32n
    : /64$|^globaltimer$/.test(name)
      ? position
      : BigInt.asUintN(32, position);
}
