import type {
  TensorKind,
  TensorMemoryPlan,
  TensorOperand,
  TensorScale,
} from "../../interp/contract/plan/plan-tensor-memory.ts";
import type { Fact } from "../../numeric/operation/grade.ts";
import { count, of } from "../form/classes.ts";
import { type Conflict, manual, published, type Since, unspecified } from "../form/define.ts";
import type { LiteralClass, PredicateClass, RegisterClass, TensorAddressClass } from "../form/operands.ts";
import { type group, groupOf, plainAddress, rubin, since } from "./words.ts";

export const plainKinds = ["kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8", "kind::ti16"] as const;
export const scaledKinds = ["kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"] as const;
type Kind = (typeof plainKinds)[number] | (typeof scaledKinds)[number];

export const collectorA = [
  "collector::a::fill",
  "collector::a::use",
  "collector::a::lastuse",
  "collector::a::discard",
] as const;
/** Of B without `.ws`: one buffer, on sm_107. */
export const collectorOfB = [
  "collector::b::fill",
  "collector::b::use",
  "collector::b::lastuse",
  "collector::b::discard",
] as const;
export const collectorB = ["b0", "b1", "b2", "b3"].flatMap((buffer) =>
  ["fill", "use", "lastuse", "discard"].map((op) => `collector::${buffer}::${op}`),
);

const descriptor: RegisterClass = of("u64");
export const d: TensorAddressClass = plainAddress;
/** A is in shared memory, given by a descriptor, or in tensor memory; shifted rows only there. */
export const matrixA = (ashift: boolean): TensorAddressClass =>
  ashift ? plainAddress : { ...plainAddress, or: descriptor };
export const b: RegisterClass = descriptor;
export const idesc: RegisterClass = count();
export const p: PredicateClass = { kind: "predicate", access: "read", negatable: true, immediate: true };
export const scaleD: LiteralClass = { kind: "literal", bits: 32, least: 0, most: 15 };
export const zeros: RegisterClass = descriptor;

/** A bit for each lane of one block or two (`disable-output-lane`). */
export const maskLength = (group: "cta_group::1" | "cta_group::2"): 4 | 8 => (group === "cta_group::1" ? 4 : 8);

/** Integers are for sm_100a and sm_110a; 4-bit scaled kinds with a sparse A need an architecture-specific target. */
export function sinceKind(kind: Kind, sparse: boolean, { scale, collectorB }: Extras = {}): Since {
  if (kind === "kind::ti16") return rubin;
  if (kind === "kind::i8") return { ...since, only: "a", families: [100, 101, 110] };
  const four = kind === "kind::mxf4" || kind === "kind::mxf4nvf4";
  const only = (sparse && four) || scale?.startsWith("scale_vec") ? "a" : "f";
  if (collectorB !== undefined) return { ...rubin, only };
  const ptx = scale?.startsWith("block") ? 88 : kind === "kind::mxf4nvf4" ? 87 : 86;
  return { ...since, ptx, only };
}

interface Extras {
  readonly scale?: string | undefined;
  readonly collectorB?: string | undefined;
}

/** The collector may be filled, or used, only with rows that are not shifted; .kind::i8 has none of B. */
export const collects = ({
  kind,
  ashift = false,
  collector,
  collectorB,
}: {
  readonly kind: Kind;
  readonly ashift?: boolean;
  readonly collector?: string | undefined;
  readonly collectorB?: string | undefined;
}): Conflict | undefined => {
  if (ashift && (collector === "collector::a::fill" || collector === "collector::a::use")) return [collector, "ashift"];
  return collectorB !== undefined && kind === "kind::i8" ? [collectorB, kind] : undefined;
};

/** Which kinds go with which sizes of blocks (table 69). */
const sizes: Readonly<Record<(typeof scaledKinds)[number], readonly (string | undefined)[]>> = {
  "kind::mxf8f6f4": [undefined, "scale_vec::1X", "block32"],
  "kind::mxf4": [undefined, "scale_vec::2X", "block32"],
  "kind::mxf4nvf4": ["scale_vec::2X", "scale_vec::4X", "block16", "block32"],
};
export const scaleWords = ["scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"] as const;
export const scales = (mods: {
  readonly kind: (typeof scaledKinds)[number];
  readonly scale?: (typeof scaleWords)[number] | undefined;
  readonly collector?: string | undefined;
  readonly collectorB?: string | undefined;
}): Conflict | undefined => {
  const { kind, scale } = mods;
  if (sizes[kind].includes(scale)) return collects(mods);
  return scale === undefined ? [kind, "being without .scale_vec or .block"] : [scale, kind];
};

/** The multiplication that the modifiers and operands describe. */
export function multiply(
  mods: {
    readonly group: (typeof group)[number];
    readonly kind: Kind;
    readonly ashift?: boolean;
    readonly scale?: (typeof scaleWords)[number] | undefined;
  },
  operands: readonly TensorOperand[],
  ws = false,
): TensorMemoryPlan {
  const kind = mods.kind.slice("kind::".length) as TensorKind;
  const scaled = operands.includes("sa");
  // The default of mxf8f6f4 and mxf4 is a scale for 32 elements.
  const scale = mods.scale === undefined ? "block32" : (mods.scale.replace("scale_vec::", "") as TensorScale);
  return {
    shape: "tcgen05 multiply",
    group: groupOf(mods.group),
    kind,
    ws,
    operands,
    sparse: operands.includes("meta"),
    ashift: mods.ashift ?? false,
    ...(scaled && { scale }),
  };
}

const isOfIntegers: Fact["when"] = ({ kind }) => kind === "kind::ti16";

const common = [
  unspecified(
    ".kind::ti16: an element is a sign and a magnitude of 11 bits, as the name S1Z4M11 and the range say; the sum is exact and wraps",
    isOfIntegers,
  ),
  unspecified(
    ".kind::ti16 transposed: the table of the instruction descriptor has no such bit, that of transpose operations says yes; here as f16",
    isOfIntegers,
  ),
  unspecified(
    ".kind::ti16 with .sp and .collector::b: the syntax forgets [sp-meta-tmem], which every other sparse form has; here it is taken",
    isOfIntegers,
  ),
  manual(
    ".collector::b without .collector::a: some lines of the syntax have none, and the text says what is meant where A's is left out; ptxas 13.4 takes it",
  ),
  manual("the collector may reuse a matrix, and may as well read it again: here it is always read again"),
  published(
    "a lane of D takes A, metadata and scales from its own lane, 16 lanes or 32 lanes: CUTLASS's fragments for sm_100",
  ),
];
export const factsOf = {
  dense: [
    ...common,
    unspecified("sums of sm_103 and sm_110; scale-input-d is an exact multiplication of D before the sum"),
    unspecified(
      ".ashift: row i is row i + 1 of A, and the last lane keeps its own; a D of f16 leaves zeros in the upper half of its word",
      ({ ashift }) => ashift === true,
    ),
  ],
  sparse: [
    ...common,
    unspecified("metadata of a sparse K = 128 and 192: 4 bits for each chunk, in the columns that follow"),
    unspecified("the sum of a sparse A: products of the selected elements, in groups as those of a dense A"),
    published(
      "the sparsity selector counts columns from the address of the metadata on: CUTLASS makes it of their last bit",
    ),
    unspecified(
      "metadata of M = 64 without .ws, and of M = 128 in two blocks: in the lanes of D, as with the other layouts",
    ),
  ],
  scaled: [
    ...common,
    unspecified("UE5M3 and .block32 of UE4M3: as the other scales"),
    unspecified("K = 96, and scale factors whose bytes go on in the next word; of 128 lanes in the next column"),
    unspecified(
      "scale factors of A in 128 lanes: a row's are in its own lane, as the text has it that nothing is duplicated then",
    ),
    manual(
      ".kind::mxf8f6f4 with K = 64 has one factor for all of K, as tables 68 and .block32 say; blocks of 32 would be two",
    ),
    manual(
      "K = 128 of .kind::mxf4 and mxf4nvf4 is for two blocks, as table 48 says; of a sparse A it is K = 256, and none",
    ),
    unspecified(
      "K = 64 of 4 and 6 bits: side by side in shared memory, as the text says, and in tensor memory too, where it says so of 6 bits",
    ),
    unspecified("sparsity version v1: the metadata lie as those of v0"),
  ],
  lookup: [
    manual("the page once spells decpmpress::lut::b; its syntax has decompress::lut::b"),
    manual("not executed: only figures show how the table and the indices of 3 bits lie in memory"),
  ],
  ws: [
    ...common,
    unspecified(".ws sums as without it"),
    manual(
      "the examples of Zero-Column Mask Descriptor give zeros to Skip Span + 1 columns, then none to Use Span + 1",
    ),
  ],
} as const;
