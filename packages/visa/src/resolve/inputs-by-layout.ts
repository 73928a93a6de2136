import type {
  SamplerTable,
  SimdFact,
  SimdFill,
  SimdInput,
  SurfaceEntry,
} from "../../../../src/interp/contract/launch/simd.ts";
import type { ImageQuery } from "../../../../src/interp/contract/plan/plan-texture.ts";
import type { Parameter } from "../../../../src/interp/contract/program.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Beside } from "../zeinfo/beside.ts";
import type { Layout, Part } from "../zeinfo/layout.ts";
import { handleOf, type InputFacts, type Inputs, localIds, type Place, surfaceOf } from "./inputs.ts";
import type { Report } from "./report.ts";
import { CONSTANTS, type Symbols } from "./symbols.ts";

/** What the launch knows: sizes along three axes, or one number. */
const facts: Readonly<Record<string, SimdFact>> = {
  local_size: "local size",
  enqueued_local_size: "local size",
  global_size: "global size",
  group_count: "group count",
  work_dimensions: "dimensions",
  private_base_stateless: "private memory",
};

/** What a launch of the whole range has at 0. */
const zeros: ReadonlySet<string> = new Set([
  "global_id_offset",
  "buffer_offset",
  "indirect_data_pointer",
  "image_srgb_channel_order",
  // Intel's compiler works around a sampler that clamps coordinates of texels if it is not 0.
  "sampler_snap_wa",
]);

/** What the launch knows of an image. */
const queries: Readonly<Record<string, ImageQuery>> = {
  image_width: "width",
  image_height: "height",
  image_depth: "depth",
  image_array_size: "array_size",
  image_channel_data_type: "channel_data_type",
  image_channel_order: "channel_order",
  image_num_samples: "num_samples",
  image_num_mip_levels: "num_mipmap_levels",
};

/** Samplers by their handles stand behind those by their numbers. */
const BINDLESS_SAMPLERS = 16;

type Sampled = SamplerTable["entries"][number];

/** The section of what the program has of each kind. */
const sections: Readonly<Record<string, string>> = { [CONSTANTS]: ".data.const", global_base: ".data.global" };

/** What is an address of 8 bytes. */
const addresses: ReadonlySet<string> = new Set(["private_base_stateless", "scratch_pointer", "printf_buffer"]);

/** The surface of constants, behind that of variables: none of the binding table have these numbers. */
const DATA_SURFACE = 255;

/** Buffers that no source names: the host allocates them, and the compiler fills those of constants. */
const hidden: ReadonlySet<string> = new Set([CONSTANTS, "global_base", "assert_buffer", "sync_buffer"]);

/**
 * The inputs of a kernel as its `.zeinfo` gives them: arguments by the names and in the order of the source, and nothing is
 * guessed. The payload's first bytes may come in a register of their own; the rest begins at the next one.
 */
export function inputsByLayout(
  places: readonly Place[],
  layout: Layout,
  given: InputFacts,
  { report, beside, span, symbols }: Surroundings,
): Inputs {
  const { grf } = given;
  const { zeinfo: source } = beside;
  const ids = layout.perThread.reduce((all, { offset, size }) => Math.max(all, offset + size), 0);
  const perThread = Math.ceil((given.perThread ?? ids) / grf) * grf;
  const base = grf + perThread;
  const inline = Math.ceil(layout.inlineBytes / grf) * grf;
  /** The byte of the payload that a place begins with. */
  const inPayload = (at: number): number =>
    layout.inlineBytes > 0 && at >= base + inline ? at - base - inline + layout.inlineBytes : at - base;
  const parameters = new Parameters(layout, span);
  const fills: SimdFill[] = [];
  const inputs: SimdInput[] = [];
  const samplers: Sampled[] = [...layout.samplers].map(([index, sampler]) => ({ index, sampler }));
  for (const { space, argument: parameter, sampler: index } of layout.payload)
    if (space === "sampler" && parameter !== undefined) samplers.push({ index, parameter });
  const bound: SurfaceEntry[] = layout.surfaces.map(({ index, argument: parameter }) => ({ index, parameter }));
  for (const place of places) {
    if (place.at < base) {
      if (place.at >= grf) fills.push(localIds(place, given));
      continue;
    }
    const start = inPayload(place.at);
    let known = 0;
    for (const part of layout.payload) {
      const from = Math.max(start, part.offset);
      const bytes = Math.min(start + place.bytes, part.offset + part.size) - from;
      if (bytes <= 0) continue;
      known += bytes;
      const into = { variable: place.variable, offset: place.offset + from - start };
      const behind = from - part.offset;
      const data = part.type in sections ? symbols.constants(sections[part.type]) : undefined;
      const parameter = data === undefined ? parameters.of(part) : undefined;
      const of = facts[part.type];
      const query = queries[part.type];
      // A dump that the compiler has thrown away may have less there than an address: then the layout is another one's.
      if (bytes < 8 && addresses.has(part.type)) {
        known -= bytes;
        continue;
      }
      if (of !== undefined && bytes % 4 === 0)
        fills.push(
          of === "private memory"
            ? { ...into, bytes: 8, count: 1, of, value: layout.privateBytes }
            : { ...into, bytes: 4, count: bytes / 4, of, first: behind / 4 },
        );
      else if (part.type === "scratch_pointer")
        fills.push({ ...into, bytes: 8, count: 1, of: "address", target: symbols.scratch() });
      else if (query !== undefined && part.argument !== undefined)
        fills.push({ ...into, bytes: 4, count: bytes / 4, of: "image", value: part.argument, query });
      else if (part.space === "sampler") {
        const sampler = layout.samplers.get(part.sampler);
        const index = BINDLESS_SAMPLERS + samplers.length;
        if (part.type === "inline_sampler" && sampler !== undefined) samplers.push({ index, sampler });
        else if (part.argument !== undefined) samplers.push({ index, parameter: part.argument });
        fills.push({ ...into, bytes: 4, count: 1, of: "number", value: handleOf(index) });
      } else if (zeros.has(part.type)) fills.push({ ...into, bytes: 4, count: bytes / 4, of: "number", value: 0 });
      else if (part.type === "printf_buffer") fills.push({ ...into, bytes: 8, count: 1, of: "printf buffer" });
      else if (data !== undefined) {
        if (part.mode === "bindless") {
          const index = DATA_SURFACE - Number(part.type !== CONSTANTS);
          bound.push({ index, ...data });
          fills.push({ ...into, bytes: 4, count: 1, of: "number", value: handleOf(index) });
        } else if (bytes === 8)
          fills.push({ ...into, bytes: 8, count: 1, of: "address", target: data.variable, value: data.offset });
        else known -= bytes;
      } else if (parameter !== undefined && part.mode === "bindless") {
        bound.push({ index: surfaceOf(parameter), parameter });
        fills.push({ ...into, bytes: 4, count: 1, of: "number", value: handleOf(surfaceOf(parameter)) });
      } else if (parameter !== undefined)
        inputs.push({
          ...into,
          parameter,
          from: part.from + behind,
          bytes,
        });
      else known -= bytes;
    }
    // The compiler rounds some places up to whole registers.
    if (known === 0)
      report.warning(
        "PTX8403",
        `${source.name} says nothing of ${place.name.text}, from byte ${start} of the payload on`,
        place.name.span,
        "the .zeinfo of the same compilation",
      );
  }
  return {
    ...parameters.finish(),
    inputs,
    fills,
    assumed: [],
    surfaces: bound,
    samplers,
  };
}

interface Surroundings {
  readonly report: Report;
  readonly beside: Beside;
  /** The kernel's name. */
  readonly span: Span;
  readonly symbols: Symbols;
}

/** Parameters: the source's arguments, then what no source names. */
class Parameters {
  readonly #made: Omit<Parameter, "offset">[];
  readonly #hidden = new Map<string, number>();
  readonly #locals: readonly number[];
  readonly #span: Span;

  constructor({ args, payload }: Layout, span: Span) {
    this.#span = span;
    const partsOf = (at: number): readonly Part[] => payload.filter(({ argument }) => argument === at);
    this.#locals = args.flatMap((_, at) => (partsOf(at).some(({ space }) => space === "local") ? [at] : []));
    this.#made = args.map(({ name, type, bytes }, at) => {
      const pointer = partsOf(at).some((part) => part.type === "arg_bypointer");
      const element = pointer ? { type: "u64", bytes: 8 } : elementOf(type);
      const aggregate = element === undefined || element.bytes !== bytes;
      return {
        name,
        type: element?.type ?? "b8",
        bytes,
        align: Math.min(8, element?.bytes ?? 8),
        aggregate,
        span,
      };
    });
  }

  /** Which parameter a part of the payload holds. */
  of({ type, argument }: Part): number | undefined {
    if (argument !== undefined) return argument;
    if (!hidden.has(type)) return undefined;
    const known = this.#hidden.get(type) ?? this.#made.length;
    if (!this.#hidden.has(type))
      this.#made.push({ name: type, type: "u64", bytes: 8, align: 8, aggregate: false, span: this.#span });
    this.#hidden.set(type, known);
    return known;
  }

  finish(): Pick<Inputs, "parameters" | "parameterBytes" | "locals"> {
    let end = 0;
    const parameters = this.#made.map((each): Parameter => {
      const offset = Math.ceil(end / each.align) * each.align;
      end = offset + each.bytes;
      return { ...each, offset };
    });
    return { parameters, parameterBytes: end, locals: this.#locals };
  }
}

/** A scalar type of OpenCL, or the element of its vectors. */
function elementOf(type: string): { readonly type: string; readonly bytes: number } | undefined {
  const name = elements[type.replace(/^(?:unsigned )/, "u").replace(/\d{1,2}$/, "")];
  return name === undefined ? undefined : { type: name, bytes: Number(name.slice(1)) / 8 };
}

const elements: Readonly<Record<string, string>> = {
  char: "s8",
  uchar: "u8",
  short: "s16",
  ushort: "u16",
  int: "s32",
  uint: "u32",
  long: "s64",
  ulong: "u64",
  half: "f16",
  float: "f32",
  double: "f64",
  bool: "u8",
};
