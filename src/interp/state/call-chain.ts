import type { Related } from "../../source/diagnostic.ts";
import { kernelName } from "../contract/kernel-name.ts";
import type { Program } from "../contract/program.ts";
import type { Warp } from "./warp.ts";

/** Calls that a message shows at most, the innermost ones. */
const MOST = 6;

/** The calls that a lane is in, innermost first, as related places of a diagnostic; none in the kernel itself. */
export function callChain(program: Program, warp: Warp, lane: number): readonly Related[] {
  const { functions, code, source } = program;
  const found: Related[] = [];
  const nameOf = (callee: number | undefined): string =>
    callee === undefined ? kernelName(program) : (functions[callee]?.name ?? "a function");
  for (let at = warp.activations[lane]; at !== undefined && found.length < MOST; at = at.caller) {
    const { span } = code[at.from]!;
    const more = found.length === MOST - 1 && at.caller !== undefined ? `, ${at.depth} calls deep` : "";
    const message = `${nameOf(at.callee)} is called here, by ${nameOf(at.caller?.callee)}${more}`;
    found.push({ source, span, message });
  }
  return found;
}
