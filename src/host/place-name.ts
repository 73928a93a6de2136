import type { Space } from "../interp/contract/space.ts";
import { type Window, windows } from "../interp/contract/window.ts";
import type { Session } from "../interp/machine/session.ts";
import { isAddressed } from "../interp/memory/allocation.ts";

/** Where an address lies: in a buffer or variable by its name, and how many bytes behind its start. */
export interface NamedPlace {
  readonly space: Exclude<Space, "generic">;
  readonly name: string;
  readonly offset: number;
}

const named = ["global", "shared", "local", "param", "const"] as const satisfies readonly Window[];

/**
 * The buffer or variable that holds the byte at an address now; undefined where none does. `space` is that of an access:
 * addresses of shared, local and parameter memory are offsets there, all others say themselves where they lie.
 */
export function placeName(session: Session, address: bigint, space: Space = "generic"): NamedPlace | undefined {
  const { program, state } = session;
  const high = Number(address >> 32n);
  const window = space === "generic" ? named.find((each) => windows[each] === high) : space;
  const low = Number(address & 0xffff_ffffn);
  if (window === undefined) return undefined;
  if (window === "param") {
    const found = program.parameters.findLast(({ offset, bytes }) => offset <= low && low < offset + bytes);
    return found && { space: window, name: found.name, offset: low - found.offset };
  }
  if (window === "shared" || window === "local") {
    const found = program.variables.findLast((each) => each.space === window && each.offset <= low);
    return found && low < found.offset + found.bytes
      ? { space: window, name: found.name, offset: low - found.offset }
      : undefined;
  }
  const owner = state?.context.memory.allocations.find(low);
  if (owner === undefined || !isAddressed(owner) || low >= owner.end) return undefined;
  return { space: window, name: owner.name, offset: low - owner.start };
}
