import type { HostSpace } from "../../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../../src/interp/contract/window.ts";
import type { Footing } from "../program/launcher.ts";
import { widthIn } from "./value.ts";

/** The type of the buffer's or the variable's element that begins at an address; undefined where none does. */
export function typeAt({ loaded, inputs }: Footing, space: HostSpace, address: bigint): string | undefined {
  const { module, kernel } = loaded;
  const own = kernel.program.variables.filter((each) => each.space === space);
  const shared = (module?.variables ?? []).flatMap((name) => {
    const variable = module?.variable(name);
    const type = module?.typeOf(name);
    const lies = variable && spaceOf(variable.address);
    if (variable === undefined || type === undefined || (space !== lies && space !== "generic")) return [];
    return [{ from: variable.address, bytes: variable.bytes, type }];
  });
  const buffers = space === "generic" || space === "global" ? inputs.buffers : [];
  const all = [
    ...own.map(({ offset, bytes, type }) => ({ from: BigInt(offset), bytes, type })),
    ...shared,
    ...buffers.map(({ type, buffer: { address: from, bytes } }) => ({ from, bytes, type: type as string })),
  ];
  const found = all.find(({ from, bytes }) => address >= from && address < from + BigInt(bytes));
  const size = found && BigInt(widthIn(found.type)) / 8n;
  return found !== undefined && size && (address - found.from) % size === 0n ? found.type : undefined;
}
