import type { Space, StateSpace } from "../interp/contract/space.ts";
import { spaceOf } from "../interp/contract/window.ts";
import type { Session } from "../interp/machine/session.ts";
import { isAddressed } from "../interp/memory/allocation.ts";

/** The location of an address: a buffer or variable by its name, and the offset in it. */
export interface NamedPlace {
  readonly space: StateSpace;
  readonly name: string;
  readonly offset: number;
}

/**
 * The buffer or variable that now contains the byte at an address; undefined where there is none. `space` is that of an
 * access: addresses of shared, local and parameter memory are relative, all others are absolute.
 */
export function placeName(session: Session, address: bigint, space: Space = "generic"): NamedPlace | undefined {
  const { program, state } = session;
  const window = space === "generic" ? spaceOf(address) : space;
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
