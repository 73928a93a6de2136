import type { Related } from "../../source/diagnostic.ts";
import type { Program } from "../contract/program.ts";
import type { Warp } from "./warp.ts";

/** Calls that a message shows at most, the innermost ones. */
const MOST = 6;

/** The calls that a lane is in, innermost first, as related places of a diagnostic; none in the kernel itself. */
export function callChain({ functions, code, source, name }: Program, warp: Warp, lane: number): readonly Related[] {
  const found: Related[] = [];
  const nameOf = (callee: number | undefined): string =>
    callee === undefined ? name : (functions[callee]?.name ?? "a function");
  for (let at = warp.activations[lane]; at !== undefined && found.length < MOST; at = at.caller) {
    const { span } = code[at.from]!;
    const more = found.length === MOST - 1 && at.caller !== undefined ? `, ${at.depth} calls deep` : "";
    const message = `${nameOf(at.callee)} is called here, by ${nameOf(at.caller?.callee)}${more}`;
    found.push({ source, span, message });
  }
  return found;
}
