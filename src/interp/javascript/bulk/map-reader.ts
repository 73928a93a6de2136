import type { Operand } from "../../contract/operand.ts";
import { windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report, whoIs } from "../../state/fault.ts";
import type { Warp } from "../../state/warp.ts";
import { checkMap } from "../../tensor-map/check-map.ts";
import { decodeMap, at as fields, MAP_ALIGN, MAP_BYTES, type TensorMap } from "../../tensor-map/tensor-map.ts";
import { Places } from "./places.ts";

/** What can be done where there is no tensor map. */
const WAY = "bind one with -a NAME=tensormap:..., or pass what device.tensorMap gives";

/** The tensor map at a lane's address, which must be one and sound; read anew each time, as others may change it. */
export function mapReader(operand: Operand | undefined, context: Context): (warp: Warp, lane: number) => TensorMap {
  const places = new Places(operand, "load", "generic", MAP_ALIGN, context);
  const { u8 } = context.memory.data;
  let known: { readonly bytes: Uint8Array; readonly map: TensorMap } | undefined;
  return (warp, lane) => {
    places.find(warp);
    const high = context.scratch.high[lane]!;
    if (high === windows.shared || high === windows.local)
      throw new Fault("PTX3051", lane, "has its tensor map in shared or local memory", [], undefined, [
        "a tensor map lies in .param, .const or .global memory (PTX ISA 5.5.8)",
      ]);
    const at = places.reach(warp, lane, MAP_BYTES);
    if (u8[at + fields.changed] !== 0) reportChanged(at, warp, lane, context);
    if (known?.bytes.every((byte, index) => byte === u8[at + index])) return known.map;
    const bytes = new Uint8Array(u8.subarray(at, at + MAP_BYTES));
    const map = decodeMap(bytes);
    if (map === undefined) throw new Fault("PTX3051", lane, "finds no tensor map at its address", [], undefined, [WAY]);
    const [problem] = checkMap(map);
    if (problem !== undefined)
      throw new Fault("PTX3051", lane, `has a tensor map that is not sound: ${problem.message}`, [], undefined, [
        `expected ${problem.expected}`,
      ]);
    known = { bytes, map };
    return map;
  };
}

/** Reports a map that was changed since the tensormap proxy could have seen it, with the place of the change. */
function reportChanged(at: number, warp: Warp, lane: number, context: Context): void {
  const change = context.mapChanges.at(at);
  const found = report(context, warp, lane, "PTX4040", "takes a tensor map that was changed and not acquired since");
  const { grid, block } = context;
  const missing =
    change?.released === false
      ? "fence.proxy.tensormap::generic.release behind the change, and .acquire before the copy"
      : "fence.proxy.tensormap::generic.acquire on the map's address before the copy";
  const { site, thread } = change ?? {};
  context.report({
    ...found,
    related: [
      ...(site && thread
        ? [{ source: site.source, span: site.span, message: `${site.opcode}, by ${whoIs(thread, grid, block)}` }]
        : []),
      ...(found.related ?? []),
    ],
    help: [...(found.help ?? []), { message: `write ${missing}` }],
  });
}
