import type { ElementType, ScaleType } from "../../../numeric/tensor/element.ts";
import type { TensorKind } from "../plan/plan-tensor-memory.ts";
import { type BitField, fieldsOf, wrongField } from "./bit-field.ts";
import { depths } from "./tensor-depths.ts";

type Name =
  | "sparsity selector" | "sparsity" | "saturate" | "reserved" | "dtype" | "atype" | "btype" | "negate A" | "negate B"
  | "transpose A" | "transpose B" | "N" | "M" | "maximum shift" | "scale factor B ID" | "scale factor A ID" | "scale type"
  | "K dimension" | "K dimension, upper bit" | "sparsity version" | "scale factor A layout"; // biome-ignore format: one thought

const field = (from: number, bits: number, name: Name, only?: readonly number[]): BitField<Name> => ({
  name,
  from,
  bits,
  ...(only && { only }),
});
const reserved = (from: number, bits: number): BitField<Name> => field(from, bits, "reserved", [0]);

const matrices = [
  field(13, 1, "negate A"),
  field(14, 1, "negate B"),
  field(15, 1, "transpose A"),
  field(16, 1, "transpose B"),
  field(17, 6, "N"),
] as const;
const noNegation = [field(13, 1, "negate A", [0]), field(14, 1, "negate B", [0]), ...matrices.slice(2)];
const noTransposition = [
  ...matrices.slice(0, 2),
  field(15, 1, "transpose A", [0]),
  field(16, 1, "transpose B", [0]),
  matrices[4]!,
];

/** Table 51. Of ti16 it says that nothing is transposed, and table 62 that A and B may be: it is not refused. */
const plain = (
  saturate: readonly number[],
  dtype: readonly number[],
  types: readonly number[],
  turned: readonly BitField<Name>[],
  depth: BitField<Name> = reserved(29, 1),
): readonly BitField<Name>[] => [
  field(0, 2, "sparsity selector"),
  field(2, 1, "sparsity"),
  field(3, 1, "saturate", saturate),
  field(4, 2, "dtype", dtype),
  reserved(6, 1),
  field(7, 3, "atype", types),
  field(10, 3, "btype", types),
  ...turned,
  reserved(23, 1),
  field(24, 5, "M"),
  depth,
  field(30, 2, "maximum shift"),
];

/** Tables 52 and 53. */
const scaled = (third: BitField<Name>, rest: readonly BitField<Name>[]): readonly BitField<Name>[] => [
  reserved(0, 2),
  field(2, 1, "sparsity"),
  third,
  field(4, 2, "scale factor B ID"),
  reserved(6, 1),
  ...rest,
  field(26, 1, "scale factor A layout"),
  field(27, 2, "M"),
  field(29, 2, "scale factor A ID"),
  field(31, 1, "K dimension"),
];
const four = (types: readonly number[]): readonly BitField<Name>[] =>
  scaled(field(3, 1, "K dimension, upper bit"), [
    field(7, 3, "atype", [1]),
    field(10, 2, "btype", [1]),
    field(12, 1, "sparsity version"),
    ...noTransposition,
    field(23, 2, "scale type", types),
    reserved(25, 1),
  ]);

/** Bits of the instruction descriptor. */
export const instructionFields: Readonly<Record<TensorKind, readonly BitField<Name>[]>> = {
  tf32: plain([0], [1], [2], matrices),
  f16: plain([0], [0, 1], [0, 1], matrices),
  f8f6f4: plain([0], [0, 1], [0, 1, 3, 4, 5], matrices, field(29, 1, "K dimension")),
  i8: plain([0, 1], [2], [0, 1], noNegation),
  ti16: plain([0], [2], [3], matrices),
  mxf8f6f4: scaled(reserved(3, 1), [
    field(7, 3, "atype", [0, 1, 3, 4, 5]),
    field(10, 3, "btype", [0, 1, 3, 4, 5]),
    ...matrices,
    field(23, 1, "scale type", [1]),
    reserved(24, 2),
  ]),
  mxf4: four([1]),
  mxf4nvf4: four([0, 1, 2]),
};

const small = ["e4m3", "e5m2", undefined, "e2m3", "e3m2", "e2m1"] as const;
/** What A and B may be, by their number in a descriptor. */
export const typesOf: Readonly<Record<TensorKind, readonly (ElementType | undefined)[]>> = {
  tf32: [undefined, undefined, "tf32"],
  f16: ["f16", "bf16"],
  f8f6f4: small,
  i8: ["u8", "s8"],
  ti16: [undefined, undefined, undefined, "s1z4m11"],
  mxf8f6f4: small,
  mxf4: [undefined, "e2m1"],
  mxf4nvf4: [undefined, "e2m1"],
};
const results = ["f16", "f32", "s32"] as const;
const scaleTypes = ["ue4m3", "ue8m0", "ue5m3"] as const;

/** The contents of an instruction descriptor. */
export interface InstructionDescriptor {
  readonly m: number;
  readonly n: number;
  /** Elements of K, with a sparse A those that are not stored too. */
  readonly k: number;
  /** The number of K in `depths`. */
  readonly depth: number;
  readonly a: ElementType;
  readonly b: ElementType;
  readonly d: "f16" | "f32" | "s32";
  readonly sparse: boolean;
  readonly selector: number;
  readonly saturate: boolean;
  readonly negateA: boolean;
  readonly negateB: boolean;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  readonly maxShift: number;
  readonly scaleType: ScaleType;
  readonly scaleA: number;
  readonly scaleB: number;
  /** Scale factors of A: each 32 lanes have all of them, or each lane has those of the row that lies there. */
  readonly scaleLanesA: 32 | 128;
  readonly sparsityVersion: number;
}

/** Reads an instruction descriptor; returns a sentence where a field has a value that is not allowed. */
export function readInstructionDescriptor(bits: number, kind: TensorKind): InstructionDescriptor | string {
  const value = BigInt(bits >>> 0);
  const layout = instructionFields[kind];
  const wrong = wrongField(value, layout);
  if (wrong !== undefined) {
    const { name, from, bits: count, only } = wrong;
    const where = count === 1 ? `bit ${from}` : `bits ${from} to ${from + count - 1}`;
    return `${name} (${where}) is ${Number((value >> BigInt(from)) & ((1n << BigInt(count)) - 1n))}, and with .kind::${kind} it is ${only!.join(", ")}`;
  }
  const fields: Partial<Record<Name, number>> = fieldsOf(value, layout);
  const of = (name: Name): number => fields[name] ?? 0;
  const isScaled = kind.startsWith("mx");
  const sparse = of("sparsity") === 1;
  const depth = of("K dimension") + 2 * of("K dimension, upper bit");
  const k = depths[kind][depth]?.[sparse ? "sparse" : "dense"];
  if (k === undefined)
    return `K dimension is ${depth}, and with .kind::${kind} ${sparse ? "and a sparse A " : ""}it is less`;
  const selector = of("sparsity selector");
  if (sparse && selector !== 0 && (kind === "i8" || kind === "f8f6f4"))
    return `sparsity selector (bits 0 to 1) is ${selector}, and with .kind::${kind} it is 0`;
  return {
    m: of("M") * (isScaled ? 128 : 16),
    n: of("N") * 8,
    k,
    depth,
    a: typesOf[kind][of("atype")]!,
    b: typesOf[kind][of("btype")]!,
    d: isScaled ? "f32" : results[of("dtype")]!,
    sparse,
    selector,
    saturate: of("saturate") === 1,
    negateA: of("negate A") === 1,
    negateB: of("negate B") === 1,
    transposeA: of("transpose A") === 1,
    transposeB: of("transpose B") === 1,
    maxShift: [0, 8, 16, 32][of("maximum shift")]!,
    scaleType: scaleTypes[of("scale type")]!,
    scaleA: of("scale factor A ID"),
    scaleB: of("scale factor B ID"),
    scaleLanesA: of("scale factor A layout") === 1 ? 128 : 32,
    sparsityVersion: of("sparsity version"),
  };
}
