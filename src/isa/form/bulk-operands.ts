import type { Inspection } from "../../interp/contract/plan/plan-bulk.ts";
import type { Fact } from "../../numeric/operation/grade.ts";
import { of, registerOf } from "./classes.ts";
import { type Since, unspecified } from "./define.ts";
import type { AbsentClass, AddressClass, LiteralClass, OperandClass, RegisterClass, VectorClass } from "./operands.ts";

// What the entries of bulk copies, tensor copies and their kin have in common. ptxas takes a base of any
// width for all their addresses.

/** An address of a state space. */
export const globalPlace: AddressClass = { kind: "address", space: "global", narrow: true };
export const sharedPlace: AddressClass = { kind: "address", space: "shared", narrow: true };
export const genericPlace: AddressClass = { kind: "address", space: "generic", narrow: true };

const whole = { types: ["u32", "b32", "s32"] } as const;

/** How many bytes a bulk copy moves; a constant has 20 bits in the machine's code. */
export const bulkSize: RegisterClass = of("u32", { ...whole, least: 0, most: 1_048_560, multiple: 16 });

/** Ranks of a cluster, or bytes of 16. */
export const mask16: RegisterClass = of("u16");

/** Copies to several blocks: a mask has 16 bits unless the word says 32. */
export const multicast = ["multicast::cluster", "multicast::cluster::16b", "multicast::cluster::32b"] as const;
type Multicast = (typeof multicast)[number] | undefined;
export const ranksMask = (word: Multicast): RegisterClass | AbsentClass =>
  withWord(word, ".multicast::cluster", maskBits(word) === 32 ? of("u32") : mask16);
export const maskBits = (word: Multicast): 16 | 32 | undefined =>
  word === undefined ? undefined : word === "multicast::cluster::32b" ? 32 : 16;
export const sinceMulticast = (word: Multicast): Since | false =>
  maskBits(word) === 32 ? rubin : word === "multicast::cluster::16b" && { ptx: 94, sm: 90 };

/** What a copy does with data that matches a pattern: it tells the mbarrier object (PTX ISA, Report Mechanisms). */
export const report = [
  "mbarrier::report::disabled",
  "mbarrier::report::validity::per_16bytes::80000000",
  "mbarrier::report::validity::per_16bytes::8000",
  "mbarrier::report::validity::per_16bytes::80",
  "mbarrier::report::validity::per_16bytes::8",
  "mbarrier::report::validity::per_element::ff",
] as const;
type Report = (typeof report)[number] | undefined;
/** `::per_16bytes::8000`: the granularity and the bits of an element, in sixteens. */
export const inspectionOf = (word: Report): { readonly inspects?: Inspection } => {
  const [, per, digits = ""] = /per_(\w+)::(\w+)$/.exec(word ?? "") ?? [];
  if (per === undefined) return {};
  const bits = (4 * digits.length) as Inspection["bits"];
  return { inspects: { every: per === "element" ? 1 : 16, bits, pattern: Number.parseInt(digits, 16) } };
};
export const inspected: Fact = unspecified(
  "of each aligned 16 bytes the first element that is copied is looked at; per_element::ff finds a byte of 0xff, and nothing of a part that lies outside of a tensor",
);

/** What is there only with a modifier, and not without. */
export const withWord = <C extends OperandClass>(
  word: string | boolean | undefined,
  unless: string,
  wanted: C,
): C | AbsentClass => (word === undefined || word === false ? { kind: "absent", unless } : wanted);

/** The cache policy of a bulk copy. */
export const bulkPolicy = (hint: string | undefined): RegisterClass | AbsentClass =>
  withWord(hint, ".L2::cache_hint", of("u64"));

/** Words that let operands stand in for what a tensor map says (PTX ISA, Overriding tensor property value). */
export const attribute = ["override::global_dim", "override::global_dim_stride"] as const;
export interface Overrides {
  readonly "override::global_address": boolean;
  readonly attribute: (typeof attribute)[number] | undefined;
}
export const overrideOf = (words: Overrides): "address" | "all" | undefined =>
  words.attribute !== undefined ? "all" : words["override::global_address"] ? "address" : undefined;

/** A size of 8 bits, alone or in the low half of 16. */
const sizeRegister: RegisterClass = {
  ...registerOf("b16"),
  types: ["b8", "u8", "s8", "b16", "u16", "s16"],
};

/**
 * `[map, {c0, c1}]`: a tensor map by its generic address, and so many coordinates; between them the base address, the
 * sizes of `dims` dimensions, and the low and high bits of the strides where these override the map's.
 */
export const tensorPlace = (count: number, dims: number, words: Overrides): AddressClass => {
  const override = overrideOf(words);
  const coordinates = vector(count, of("s32"));
  return override === undefined
    ? { ...genericPlace, coordinates }
    : { ...overridingPlace(dims, [registerOf("u64")], override === "all"), coordinates };
};

/** A tensor map whose address is overridden by `address`, and so are its sizes and strides where `all` is. */
export const overridingPlace = (dims: number, address: readonly RegisterClass[], all: boolean): AddressClass => {
  const strides = dims > 1 ? [vector(dims - 1, registerOf("b32")), registerOf("b16")] : [];
  return {
    ...genericPlace,
    overrides: [...address, ...(all ? [vector(dims, sizeRegister), ...strides] : [])],
    coordinates: vector(dims, of("s32")),
  };
};
const vector = (count: number, of: RegisterClass): VectorClass => ({ kind: "vector", count, of });

/** So many 16-bit numbers in braces. */
export const offsets = (count: number): VectorClass => ({ kind: "vector", count, of: of("u16") });

/** A constant of a few values. */
export const oneOf = (most: number): LiteralClass => ({ kind: "literal", bits: 32, least: 0, most });

/** Only these targets, each with `a` or `f`: what came with tcgen05. */
export const specific: Since = { ptx: 86, sm: 100, only: "f", families: [100, 101, 103, 107, 110] };
/** The family of sm_107. */
export const rubin: Since = { ptx: 94, sm: 107, only: "f", families: [107] };
/** Copies with an order (`.weak`, `.relaxed`). */
export const ordering: Since = { ptx: 93, sm: 90, only: "f", families: [90, 100, 101, 103, 107, 110] };
/** And consumer Blackwell with them. */
export const specificToo: Since = { ptx: 86, sm: 100, only: "f", families: [100, 101, 103, 107, 110, 120, 121] };
