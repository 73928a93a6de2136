import { type LaneStrips, MOST_STEPS, MOST_WARPS, type StripStep } from "../../host/stats/lane-strip.ts";
import { isBarrier } from "../../interp/contract/plan/effects.ts";
import type { Program } from "../../interp/contract/program.ts";
import { fileName } from "../trace/line-stats.ts";
import { instructionText } from "../working/instruction.ts";
import { grouped, json, many } from "./html.ts";

/** Warps whose strips are open when the page is. */
const OPEN = 2;

/** Lanes over steps, a strip for each of the first warps; the script draws the data of `dataOf`. */
export function stripsOf({ warps, all }: LaneStrips): string {
  if (warps.length === 0) return "";
  const strips = warps.map(({ block, warp, steps, all: executed }, at) => {
    const of =
      steps.length < executed ? `the first ${steps.length} of ${many(executed, "step")}` : many(executed, "step");
    return `<details class="w"${at < OPEN ? " open" : ""}><summary>block ${block}, warp ${warp}: ${of}</summary>
<div class="wide"><canvas tabindex="0" role="slider" data-w="${at}" aria-label="steps of block ${block}, warp ${warp}" aria-valuemin="1" aria-valuemax="${steps.length}" aria-valuenow="1"></canvas></div>
<p class="read" aria-live="polite">Point at a step, or use the arrow keys.</p></details>`;
  });
  const folded = all > warps.length ? ` The ${warps.length} warps that ran first, of ${grouped(all)}.` : "";
  return `<section><h2>Lanes over steps</h2>
<p class="q">A column is an instruction of the warp, a row a lane, 0 at the top. The colour is the place in the program, pale where a
guard keeps the lane out, empty where the lane is elsewhere: that is divergence. Below: <span class="k good"></span> as few
sectors of 32 bytes or passes through the banks as would do, <span class="k warn"></span> more,
<span class="k bad"></span> at least four times as many; the line across is a barrier.${folded} At most
${MOST_WARPS} warps and ${MOST_STEPS} steps of each are kept.</p>${strips.join("")}<noscript><p>The strips are drawn by a script.</p></noscript></section>`;
}

/** Steps as lists of numbers, without what is the same as in a full warp; and the instructions that they name. */
export function dataOf({ warps }: LaneStrips, program: Program): string {
  const used = new Set(warps.flatMap(({ steps }) => steps.map(({ pc }) => pc)));
  const places = [...used].map((pc) => {
    const instruction = program.code[pc];
    if (instruction === undefined) return [pc, 0, "", 0];
    const { location, span, plan } = instruction;
    const from = location === undefined ? "" : ` (${fileName(location.file)}:${location.line})`;
    const text = `line ${program.source.position(span.start).line}${from}: ${instructionText(program, pc).slice(0, LONGEST)}`;
    return [pc, text, isBarrier(plan) ? 1 : 0];
  });
  const strips = warps.map(({ steps }) => steps.map(numbersOf));
  return json({ size: program.code.length, places, strips });
}
const LONGEST = 160;

/** `[pc, active, taken, touched, fewest, parts, passes]`, cut behind what is not empty. */
function numbersOf({ pc, active, taken, sectors, banks }: StripStep): number[] {
  const all = [pc, active >>> 0, taken >>> 0, sectors?.touched, sectors?.fewest, banks?.parts, banks?.passes];
  return all.slice(0, all.findLastIndex((each) => each !== undefined) + 1).map((each) => each ?? 0);
}
