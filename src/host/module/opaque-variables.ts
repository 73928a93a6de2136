import type { AddressMode, OpaqueType, Sampler } from "../../interp/contract/image.ts";
import type { ModuleVariable } from "../../interp/contract/program.ts";
import type { Memory } from "../../interp/index.ts";
import { plainSampler } from "../memory/texture.ts";

/** A .texref, .samplerref or .surfref of a module, or an element of an array of them. */
export interface OpaqueVariable {
  /** `tex`, `tex[2]`. */
  readonly name: string;
  readonly type: OpaqueType;
  /** Its address, by which instructions name it. */
  readonly handle: bigint;
  /** What its initial value says of sampling. */
  readonly sampler: Sampler;
}

const isOpaque = (type: string): type is OpaqueType => type === "texref" || type === "samplerref" || type === "surfref";

/** The opaque variables among a module's; the device knows of them from now on, samplers with what they say. */
export function declareOpaque(
  variables: readonly ModuleVariable[],
  addressOf: (name: string) => bigint,
  memory: Memory,
): readonly OpaqueVariable[] {
  return variables.flatMap(({ name, type, bytes, fields }) => {
    if (!isOpaque(type)) return [];
    const sampler = samplerOfFields(fields ?? new Map());
    const address = addressOf(name);
    const names = bytes === 8 ? [name] : Array.from({ length: bytes / 8 }, (_, at) => `${name}[${at}]`);
    return names.map((each, at) => {
      const handle = address + BigInt(8 * at);
      const forced = fields?.get("force_unnormalized_coords") === 1;
      const own = type === "samplerref" ? { kind: type, name: each, sampler, forced } : undefined;
      memory.images.declare(handle, type, each, own);
      return { name: each, type, handle, sampler };
    });
  });
}

const modes: readonly AddressMode[] = ["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"];

function samplerOfFields(fields: ReadonlyMap<string, number>): Sampler {
  const mode = (axis: 0 | 1 | 2): AddressMode =>
    modes[fields.get(`addr_mode_${axis}`) ?? 3] ?? plainSampler.address[axis];
  return {
    ...plainSampler,
    address: [mode(0), mode(1), mode(2)],
    filter: fields.get("filter_mode") === 1 ? "linear" : "nearest",
    normalized: fields.get("normalized_coords") === 1,
  };
}
