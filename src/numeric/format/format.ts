/**
 * A binary floating-point format, as data. All of ptxrun is generic over `Format`; a new format is one entry of `types` below
 * (tests/unit/numeric/one-format.test.ts), and instructions take it where their entries in the table say so.
 */
export interface Format {
  readonly name: string;
  /** Bits of a stored value. */
  readonly width: 8 | 16 | 32 | 64;
  /** 0 where the format has no sign (ue8m0). */
  readonly sign: 0 | 1;
  /** Bits of the exponent field. */
  readonly exp: number;
  /** Bits of the fraction field. */
  readonly frac: number;
  readonly bias: number;
  /** Unused bits below the fraction; they read as anything and are written as 0 (tf32 in a 32-bit register). */
  readonly pad: number;
  /** `.satfinite`: what is too large, infinities included, becomes the largest number of its sign. */
  readonly finite?: true;
  /** Where infinities and NaNs live: all of the top exponent, only the code of all ones, or nowhere. */
  readonly specials: "ieee" | "nan-only" | "none";
  /** The NaN that arithmetic produces, sign and payload of its operands lost. */
  readonly nan: bigint;
  /** How many of it the packed types of instructions hold (5.2.3): 2 of `f16x2`. */
  readonly packs?: readonly (2 | 4)[];
  /** When `.ftz` calls a result subnormal: by its value before rounding, or rounded with an unbounded exponent. */
  readonly tininess: "before" | "after";
}

const ieee = (name: string, width: Format["width"], exp: number, frac: number, nan: bigint): Format => ({
  name,
  width,
  sign: 1,
  exp,
  frac,
  bias: 2 ** (exp - 1) - 1,
  pad: 0,
  specials: "ieee",
  nan,
  tininess: "after",
});

/** NaN 0x7fff: grade ptxas. Tininess before rounding: grade unspecified. */
export const f16: Format = { ...ieee("f16", 16, 5, 10, 0x7fffn), packs: [2], tininess: "before" };
/** NaN 0x7fff: grade ptxas. */
export const bf16: Format = { ...ieee("bf16", 16, 8, 7, 0x7fffn), packs: [2] };
/** NaN 0x7fffffff: grade manual (PTX ISA, Floating Point). Tininess after rounding: grade ptxas. */
export const f32: Format = { ...ieee("f32", 32, 8, 23, 0x7fff_ffffn), packs: [2] };
/**
 * NaN 0xfff8000000000000: grade ptxas for div and sqrt, whose code by ptxas 13.0 writes it, and headers (`CUDART_NAN`,
 * next to the NaNs of the other formats as given here); for add, mul and fma, and if an operand is NaN, grade
 * unspecified.
 */
export const f64: Format = ieee("f64", 64, 11, 52, 0xfff8_0000_0000_0000n);
/** NaN: that of f32 without the bits that tf32 lacks (grade ptxas for .rna, unspecified for .rn and .rz). */
export const tf32: Format = { ...ieee("tf32", 32, 8, 10, 0x7fff_e000n), pad: 13 };
export const e5m2: Format = { ...ieee("e5m2", 8, 5, 2, 0x7fn), packs: [2, 4] };
export const e4m3: Format = { ...ieee("e4m3", 8, 4, 3, 0x7fn), packs: [2, 4], specials: "nan-only" };
// In a format without NaN, a NaN becomes the largest number (cvt's page on .satfinite, and grade headers).
export const e3m2: Format = { ...ieee("e3m2", 8, 3, 2, 0x1fn), packs: [2, 4], specials: "none" };
export const e2m3: Format = { ...ieee("e2m3", 8, 2, 3, 0x1fn), packs: [2, 4], specials: "none" };
export const e2m1: Format = { ...ieee("e2m1", 8, 2, 1, 0x7n), packs: [2, 4], specials: "none" };
/** A power of two: no sign, no fraction, no zero; 0xff is NaN. */
export const ue8m0: Format = { ...ieee("ue8m0", 8, 8, 0, 0xffn), packs: [2], sign: 0, specials: "nan-only" };
/** No sign; 0xff is NaN. */
export const ue5m3: Format = { ...ieee("ue5m3", 8, 5, 3, 0xffn), packs: [2], sign: 0, specials: "nan-only" };
/** A scale of tensor cores: e4m3 whose sign bit is not looked at. */
export const ue4m3: Format = { ...e4m3, name: "ue4m3", sign: 0 };

/**
 * The upper word of f64, a number of 1.11.20 bits: what rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write
 * (PTX ISA, Floating Point). The lower word is not read, and becomes 0.
 */
export const f64Upper: Format = { ...f64, name: "f64.upper", frac: 20, pad: 32 };

/** Intel's formats: the NaN that arithmetic gives is the quiet one without sign and payload. */
export const visaFormats = {
  df: { ...f64, nan: 0x7ff8_0000_0000_0000n },
  f: { ...f32, nan: 0x7fc0_0000n },
  hf: { ...f16, nan: 0x7e00n, tininess: "after" },
  bf: { ...bf16, nan: 0x7fc0n },
} as const satisfies Readonly<Record<string, Format>>;

/** The formats that are types of PTX, by their names. */
export const types = { f16, bf16, f32, f64, tf32, e5m2, e4m3, e3m2, e2m3, e2m1, ue8m0 } as const;

/** The bit patterns of a format that more than one file needs, as numbers: for formats of up to 32 bits. */
export interface Codes {
  readonly signBit: number;
  readonly infinity: number;
  /** The smallest normal number. */
  readonly normal: number;
  readonly one: number;
  readonly nan: number;
}

export const codes = (f: Format): Codes => ({
  signBit: f.sign * 2 ** (f.exp + f.frac + f.pad),
  infinity: (2 ** f.exp - 1) * 2 ** (f.frac + f.pad),
  normal: 2 ** (f.frac + f.pad),
  one: f.bias * 2 ** (f.frac + f.pad),
  nan: Number(f.nan),
});
