import type { Site } from "../../async/operation.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";

/** Returns the site of a warp's current instruction, for operations it starts; one object per instruction. */
export function siteOf({ program: { code, source } }: Context): (warp: Pick<Warp, "pc">) => Site {
  let site: Site | undefined;
  return ({ pc }) => {
    if (site?.pc !== pc) {
      const { opcode, span } = code[pc]!;
      site = { pc, opcode, source, span };
    }
    return site;
  };
}
