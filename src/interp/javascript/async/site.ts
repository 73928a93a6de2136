import type { Site } from "../../async/operation.ts";
import type { Context } from "../../state/context.ts";
import type { Warp } from "../../state/warp.ts";

/** The instruction that a warp executes, for operations that it asks for; found once for each instruction. */
export function siteOf({ program: { code, source } }: Context): (warp: Warp) => Site {
  let site: Site | undefined;
  return ({ pc }) => {
    if (site?.pc !== pc) {
      const { opcode, span } = code[pc]!;
      site = { pc, opcode, source, span };
    }
    return site;
  };
}
