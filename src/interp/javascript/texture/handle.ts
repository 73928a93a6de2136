import type { Geometry, Image, OpaqueType } from "../../contract/image.ts";
import type { Operand } from "../../contract/operand.ts";
import type { Handle } from "../../memory/image-table.ts";
import { ALLOCATED, INITIALISED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import type { Warp } from "../../state/warp.ts";

/** Reads the handle of one lane: from a register, or from the kernel's parameters. */
export function handleReader(
  operand: Operand | undefined,
  { lanes, memory, parameters }: Context,
): (warp: Warp, lane: number) => bigint {
  if (operand?.kind === "address") {
    const index = (parameters + Number(operand.offset)) >>> 3;
    return () => memory.data.u64[index]!;
  }
  if (operand?.kind !== "slot") throw new Error("a handle is expected");
  const base = operand.slot * lanes;
  return ({ q }, lane) => q[base + lane]!;
}

/** Says whether all active lanes have the handle of one of them, `lane`. */
export function handleIsOne(operand: Operand | undefined, { lanes }: Context): (warp: Warp, lane: number) => boolean {
  if (operand?.kind !== "slot") return () => true;
  const base = 2 * operand.slot * lanes;
  return ({ w, active }, one) => {
    const [low, high] = [w[base + 2 * one], w[base + 2 * one + 1]];
    for (let lane = one + 1; lane < lanes; lane++)
      if ((active >>> lane) & 1 && (w[base + 2 * lane] !== low || w[base + 2 * lane + 1] !== high)) return false;
    return true;
  };
}

/** The object that a handle refers to; throws a Fault if it has no object of this type. */
export function found(
  handle: bigint,
  type: OpaqueType,
  lane: number,
  { memory }: Context,
): NonNullable<Handle["object"]> {
  const known = memory.images.find(handle);
  const what = names[type];
  if (known === undefined) throw new Fault("PTX3040", lane, `finds nothing: no ${what} has the handle ${show(handle)}`);
  if (known.object === undefined) {
    const whole = `${names[known.type]} ${known.name}`;
    throw new Fault(
      "PTX3040",
      lane,
      known.variable ? `nothing is bound to the ${whole}` : `the ${whole} is left without memory: it was destroyed`,
    );
  }
  if (known.type !== type && !(type === "samplerref" && known.type === "texref"))
    throw new Fault("PTX3040", lane, `${known.name} is a ${names[known.type]}, not a ${what}`);
  return known.object;
}

const names: Readonly<Record<OpaqueType, string>> = { texref: "texture", samplerref: "sampler", surfref: "surface" };

export const show = (handle: bigint): string => `0x${handle.toString(16)}`;

/** The geometry of an image, as instructions name it. */
export function geometryOf({ dimensions, layers, cube, samples }: Image): Geometry {
  if (cube) return layers === undefined ? "cube" : "acube";
  if (samples > 1) return layers === undefined ? "2dms" : "a2dms";
  if (layers !== undefined) return dimensions === 1 ? "a1d" : "a2d";
  return dimensions === 1 ? "1d" : dimensions === 2 ? "2d" : "3d";
}

/** Checks bytes of an image before a read: throws a Fault if freed, reports those that were never written. */
export function readable(
  warp: Warp,
  lane: number,
  at: number,
  bytes: number,
  what: () => string,
  context: Context,
): void {
  const { memory, sanitize } = context;
  const good = ALLOCATED | INITIALISED;
  if (memory.all(at, bytes, good, good)) return;
  memory.know(at, bytes);
  if (memory.all(at, bytes, good, good)) return;
  if (!memory.all(at, bytes, ALLOCATED, ALLOCATED))
    throw new Fault("PTX3005", lane, `reads ${what()}, whose memory the host has freed`);
  if (sanitize.init)
    context.report(report(context, warp, lane, "PTX4001", `reads ${what()}, which nothing has written`));
}

/** The same before bytes are written; they are initialised from then on. */
export function writable(lane: number, at: number, bytes: number, what: () => string, { memory }: Context): void {
  memory.know(at, bytes);
  if (!memory.all(at, bytes, ALLOCATED, ALLOCATED))
    throw new Fault("PTX3005", lane, `writes ${what()}, whose memory the host has freed`);
  memory.initialise(at, bytes);
}
