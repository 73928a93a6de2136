import { type Format, f64Upper, types, ue4m3, ue5m3, visaFormats } from "./format.ts";

/** The formats that are types by themselves. */
export const formats: readonly Format[] = Object.values(types);

/** Those that operations of the table name: besides, a scale that nothing converts to, half of a register, and Intel's. */
export const formatsByType = {
  ...types,
  ue4m3,
  ue5m3,
  "f64.upper": f64Upper,
  "visa.hf": visaFormats.hf,
  "visa.bf": visaFormats.bf,
  "visa.f": visaFormats.f,
  "visa.df": visaFormats.df,
} as const satisfies Readonly<Record<string, Format>>;

/** Bits that mean something, without what pads them: 4 of e2m1, which is stored in 8. */
export const bitsIn = ({ sign, exp, frac, pad }: Format): number => sign + exp + frac + pad;

/** Bits that a value takes in a packed type: two of 4 bits share a byte, others of less than 8 have zeros above them. */
export const packedWidth = (format: Format): number => (bitsIn(format) === 4 ? 4 : format.width);

/** The type that packs e2m1 with zeros above each, as no other type of a format does (PTX ISA 5.2.5.1). */
const padded = "e2m1p4x4";

/** The types of instructions that are floats, alone and packed. */
export const floatTypes: readonly string[] = [
  ...formats.flatMap(({ name, packs = [] }) => [name, ...packs.map((count) => `${name}x${count}`)]),
  padded,
];

/** What a type such as `f16x2` or `e2m1x4` packs, low bits first. */
export function packedType(
  type: string,
): { readonly lane: Format; readonly count: number; readonly width: number } | undefined {
  const [, name, count] = /^(\w+?)(?:p4)?x([248])$/.exec(type) ?? [];
  const lane = formats.find((each) => each.name === name);
  return lane && { lane, count: Number(count), width: type === padded ? lane.width : packedWidth(lane) };
}
