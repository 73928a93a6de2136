import { codes, type Format } from "./format/format.ts";
import type { Op } from "./op.ts";

/** What `testp` asks (9.7.3). A zero counts as normal. */
export type Property = "finite" | "infinite" | "number" | "notanumber" | "normal" | "subnormal";

/** Does a have the property? Gives a predicate. */
export function fproperty(f: Format, property: Property): Op {
  const signature = {
    name: `fproperty.${f.name}.${property}`,
    takes: [f.width],
    gives: 1,
    about: { kind: "property", format: f, property },
  } as const;
  if (f.width === 64) {
    const holds = test(property, 2 * 0x7ff0_0000, 2 * 0x0010_0000);
    // Of the lower word it only matters whether it is 0.
    return {
      ...signature,
      js: (a: bigint) => (holds(2 * (Number(a >> 32n) & 0x7fff_ffff) + ((a & 0xffff_ffffn) === 0n ? 0 : 1)) ? 1 : 0),
    };
  }
  const { signBit, infinity, normal } = codes(f);
  const holds = test(property, infinity, normal);
  return { ...signature, js: (a: number) => (holds(a & (signBit - 1)) ? 1 : 0) };
}

/** On the code without its sign, where infinity is the greatest that is no NaN. */
function test(property: Property, infinity: number, normal: number): (size: number) => boolean {
  switch (property) {
    case "finite":
      return (size) => size < infinity;
    case "infinite":
      return (size) => size === infinity;
    case "number":
      return (size) => size <= infinity;
    case "notanumber":
      return (size) => size > infinity;
    case "normal":
      return (size) => size === 0 || (size >= normal && size < infinity);
    case "subnormal":
      return (size) => size > 0 && size < normal;
  }
}
