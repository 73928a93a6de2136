/**
 * What bodies refer to by name, as C for GCC and Clang: instructions of WebAssembly that are no operator of C, in the order of
 * `instructions.ts`. Vectors are done by instructions of x86 where these mean the same, else lane by lane.
 */
export const prelude = (): string => [types, scalars, ...[16, 32].map(vectors), accesses].join("\n");

const types = `#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
${[16, 32]
  .flatMap((bytes) =>
    [8, 16, 32, 64].flatMap((bits) => [
      `typedef int${bits}_t s${bits}_${bytes} __attribute__((vector_size(${bytes})));`,
      `typedef uint${bits}_t u${bits}_${bytes} __attribute__((vector_size(${bytes})));`,
    ]),
  )
  .join("\n")}
${[16, 32].map((bytes) => `typedef float f32_${bytes} __attribute__((vector_size(${bytes})));\ntypedef double f64_${bytes} __attribute__((vector_size(${bytes})));\ntypedef s32_${bytes} V${bytes};`).join("\n")}
/* The value of a type at an address that need not be aligned. */
#define AT(type, address) (*(type##_at *)(address))
${["V16", "V32", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t"]
  .map((type) => `typedef ${type} ${type}_at __attribute__((aligned(1), may_alias));`)
  .join("\n")}
#ifdef __clang__
#define SHUFFLE(a, b, type, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, type, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif
#define FN static inline __attribute__((always_inline))
#if __has_builtin(__builtin_shufflevector)
FN V32 join(V16 a, V16 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }
FN V16 half_low(V32 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
FN V16 half_high(V32 a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }
#else
FN V32 join(V16 a, V16 b) { return (V32){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]}; }
FN V16 half_low(V32 a) { return (V16){a[0], a[1], a[2], a[3]}; }
FN V16 half_high(V32 a) { return (V16){a[4], a[5], a[6], a[7]}; }
#endif
/* Two of four elements in each half, above them 0. */
FN V32 spread(f32_16 a) { V32 x = join((V16)a, (V16){0}); return SHUFFLE(x, x, V32, 0, 1, 4, 4, 2, 3, 4, 4); }`;

/** For both widths of integers, and of floating point. */
const scalars = `FN float f32_bits(uint64_t bits) { uint32_t low = bits; float x; memcpy(&x, &low, 4); return x; }
FN double f64_bits(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
FN int32_t i32_reinterpret_f32(float a) { int32_t x; memcpy(&x, &a, 4); return x; }
FN int64_t i64_reinterpret_f64(double a) { int64_t x; memcpy(&x, &a, 8); return x; }
FN float f32_reinterpret_i32(int32_t a) { return f32_bits((uint32_t)a); }
FN double f64_reinterpret_i64(int64_t a) { return f64_bits(a); }
FN int32_t i32_wrap_i64(int64_t a) { return a; }
FN int64_t i64_extend_i32_s(int32_t a) { return a; }
FN int64_t i64_extend_i32_u(int32_t a) { return (uint32_t)a; }
FN int32_t i32_extend8_s(int32_t a) { return (int8_t)a; }
FN int32_t i32_extend16_s(int32_t a) { return (int16_t)a; }
FN int64_t i64_extend8_s(int64_t a) { return (int8_t)a; }
FN int64_t i64_extend16_s(int64_t a) { return (int16_t)a; }
FN int64_t i64_extend32_s(int64_t a) { return (int32_t)a; }
FN float f32_convert_i32_s(int32_t a) { return a; }
FN float f32_convert_i32_u(int32_t a) { return (uint32_t)a; }
FN float f32_convert_i64_s(int64_t a) { return a; }
FN float f32_convert_i64_u(int64_t a) { return (uint64_t)a; }
FN double f64_convert_i32_s(int32_t a) { return a; }
FN double f64_convert_i32_u(int32_t a) { return (uint32_t)a; }
FN double f64_convert_i64_s(int64_t a) { return a; }
FN double f64_convert_i64_u(int64_t a) { return (uint64_t)a; }
FN float f32_demote_f64(double a) { return a; }
FN double f64_promote_f32(float a) { return a; }
${(["32", "64"] as const)
  .map((bits) => {
    const [t, u, i, suffix] = [`int${bits}_t`, `uint${bits}_t`, `i${bits}`, bits === "64" ? "ll" : ""];
    const float = bits === "32" ? "float" : "double";
    const [f, letter] = [`f${bits}`, bits === "32" ? "f" : ""];
    const sign = bits === "32" ? "0x80000000u" : "0x8000000000000000u";
    const bitsOf = `${i}_reinterpret_${f}`;
    return `FN int32_t ${i}_eqz(${t} a) { return a == 0; }
FN ${t} ${i}_clz(${t} a) { return a == 0 ? ${bits} : __builtin_clz${suffix}(a); }
FN ${t} ${i}_ctz(${t} a) { return a == 0 ? ${bits} : __builtin_ctz${suffix}(a); }
FN ${t} ${i}_popcnt(${t} a) { return __builtin_popcount${suffix}(a); }
FN ${t} ${i}_div_s(${t} a, ${t} b) { return b == -1 ? -a : b == 0 ? 0 : a / b; }
FN ${t} ${i}_div_u(${t} a, ${t} b) { return b == 0 ? 0 : (${u})a / (${u})b; }
FN ${t} ${i}_rem_s(${t} a, ${t} b) { return b == -1 || b == 0 ? 0 : a % b; }
FN ${t} ${i}_rem_u(${t} a, ${t} b) { return b == 0 ? 0 : (${u})a % (${u})b; }
FN ${t} ${i}_rotl(${t} a, ${t} b) { return (${u})a << (b & (${bits} - 1)) | (${u})a >> (-b & (${bits} - 1)); }
FN ${t} ${i}_rotr(${t} a, ${t} b) { return (${u})a >> (b & (${bits} - 1)) | (${u})a << (-b & (${bits} - 1)); }
FN ${float} ${f}_abs(${float} a) { return __builtin_fabs${letter}(a); }
FN ${float} ${f}_neg(${float} a) { return ${f}_reinterpret_${i}(${bitsOf}(a) ^ ${sign}); }
FN ${float} ${f}_ceil(${float} a) { return __builtin_ceil${letter}(a); }
FN ${float} ${f}_floor(${float} a) { return __builtin_floor${letter}(a); }
FN ${float} ${f}_trunc(${float} a) { return __builtin_trunc${letter}(a); }
FN ${float} ${f}_nearest(${float} a) { return __builtin_rint${letter}(a); }
FN ${float} ${f}_sqrt(${float} a) { return __builtin_sqrt${letter}(a); }
FN ${float} ${f}_copysign(${float} a, ${float} b) { return __builtin_copysign${letter}(a, b); }
FN ${float} ${f}_min(${float} a, ${float} b) {
  return a != a || b != b ? a + b : a == b ? ${f}_reinterpret_${i}(${bitsOf}(a) | ${bitsOf}(b)) : a < b ? a : b;
}
FN ${float} ${f}_max(${float} a, ${float} b) {
  return a != a || b != b ? a + b : a == b ? ${f}_reinterpret_${i}(${bitsOf}(a) & ${bitsOf}(b)) : a > b ? a : b;
}
${(["f32", "f64"] as const)
  .map((from) => {
    // The least number that is too large, of either sign; both are exact.
    const argument = from === "f32" ? "float" : "double";
    const [below, above] =
      bits === "32" ? ["2147483648.0", "4294967296.0"] : ["9223372036854775808.0", "18446744073709551616.0"];
    const [low, high] = [`INT${bits}_MIN`, `INT${bits}_MAX`];
    return `FN ${t} ${i}_trunc_sat_${from}_s(${argument} a) { return a != a ? 0 : a >= ${below} ? ${high} : a < -${below} ? ${low} : (${t})a; }
FN ${t} ${i}_trunc_sat_${from}_u(${argument} a) { return !(a > 0) ? 0 : a >= ${above} ? -1 : (${t})(${u})a; }`;
  })
  .join("\n")}`;
  })
  .join("\n")}`;

/** A function of vectors that does each element by itself; `i` is its number. */
const each = (head: string, type: string, count: number, expression: string): string =>
  `FN ${head} { ${type} r; for (int i = 0; i < ${count}; i++) r[i] = ${expression}; return (V)r; }`;

/** The same by an instruction of x86, where there is one that `macro` tells of. */
const byInstruction = (macro: string, head: string, text: string, otherwise: string): string =>
  `#if ${macro} && __has_builtin(${/__builtin_\w+/.exec(text)![0]})\nFN ${head} { return (V)${text}; }\n#else\n${otherwise}\n#endif`;

function vectors(bytes: number): string {
  const wide = bytes === 32;
  const V = `V${bytes}`;
  const sse = wide ? "defined(__AVX2__)" : "defined(__SSE4_1__)";
  const x86 = (name128: string, name256: string): string => `__builtin_ia32_${wide ? name256 : name128}`;
  const vector = (kind: string): string => `${kind}_${bytes}`;
  const count = (bits: number): number => (8 * bytes) / bits;
  const lines: string[] = [];
  const add = (...more: string[]): void => void lines.push(...more);
  const head = (name: string, ...operands: string[]): string =>
    `${V} ${name}_${bytes}(${operands.map((each) => `${V} ${each}`).join(", ")})`;
  const whole = (name: string, operands: readonly string[], text: string): void =>
    add(`FN ${head(name, ...operands)} { return (V)(${text}); }`);
  const select = (mask: string, a: string, b: string): string => `((V)(${mask}) & (V)${a}) | (~(V)(${mask}) & (V)${b})`;
  add("#undef V", `#define V ${V}`);

  add(
    `FN int32_t v128v_any_true_${bytes}(V a) {
#if ${sse} && !defined(__clang__)
  return !${x86("ptestz128", "ptestz256")}((${wide ? "long long __attribute__((vector_size(32)))" : "long long __attribute__((vector_size(16)))"})a, (${wide ? "long long __attribute__((vector_size(32)))" : "long long __attribute__((vector_size(16)))"})a);
#else
  ${vector("s64")} x = (${vector("s64")})a; int64_t any = 0; for (int i = 0; i < ${count(64)}; i++) any |= x[i]; return any != 0;
#endif
}`,
  );
  for (const bits of [8, 16, 32, 64]) {
    const [s, u] = [vector(`s${bits}`), vector(`u${bits}`)];
    const i = `i${bits}v`;
    const n = count(bits);
    add(
      `FN ${V} ${i}_splat_${bytes}(int${Math.max(32, bits)}_t a) { return (V)(${s}){${Array(n).fill("a").join(", ")}}; }`,
    );
    add(`FN int32_t ${i}_all_true_${bytes}(V a) { return !v128v_any_true_${bytes}((V)((${s})a == 0)); }`);
    const mask = `int32_t r = 0; for (int i = 0; i < ${n}; i++) r |= (int32_t)((uint32_t)(((${s})a)[i] < 0) << i); return r;`;
    const instruction = ({ 8: x86("pmovmskb128", "pmovmskb256"), 32: x86("movmskps", "movmskps256"), 64: x86("movmskpd", "movmskpd256") } as Record<number, string>)[bits]; // biome-ignore format: one line
    const argument = bits === 8 ? `(char __attribute__((vector_size(${bytes}))))a` : `(${vector(`f${bits}`)})a`;
    add(
      `FN int32_t ${i}_bitmask_${bytes}(V a) {`,
      ...(instruction === undefined
        ? [mask]
        : [`#if ${sse} && !defined(__clang__)`, `return ${instruction}(${argument});`, "#else", mask, "#endif"]),
      "}",
    );
    whole(`${i}_neg`, ["a"], `-(${u})a`);
    whole(`${i}_abs`, ["a"], `((${u})a ^ (${u})((${s})a < 0)) - (${u})((${s})a < 0)`);
    for (const [sign, kind] of [
      ["s", s],
      ["u", u],
    ] as const) {
      const letter = { 8: "b", 16: "w", 32: "d", 64: "q" }[bits];
      const elements = `(${{ 8: "char", 16: "short", 32: "int", 64: "long" }[bits]} __attribute__((vector_size(${bytes}))))`;
      /** An instruction of x86 on both operands, by the beginning of its name. */
      const binary = (name: string, instruction: string, otherwise: string): void => {
        const builtin = x86(`${instruction}128`, `${instruction}256`);
        add(byInstruction(sse, head(name, "a", "b"), `${builtin}(${elements}a, ${elements}b)`, otherwise));
      };
      for (const [name, relation] of [
        ["min", "<"],
        ["max", ">"],
      ] as const) {
        const operation = `${i}_${name}_${sign}`;
        const text = select(`(${kind})a ${relation} (${kind})b`, "a", "b");
        if (bits === 64) whole(operation, ["a", "b"], text);
        else binary(operation, `p${name}${sign}${letter}`, `FN ${head(operation, "a", "b")} { return (V)(${text}); }`);
      }
      if (bits > 16) continue;
      const element = (name: string): string => `(int)((${kind})${name})[i]`;
      const [low, high] = sign === "s" ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
      for (const [name, operator] of [
        ["add", "+"],
        ["sub", "-"],
      ] as const) {
        const sum = `${element("a")} ${operator} ${element("b")}`;
        const text = `${sum} < ${low} ? ${low} : ${sum} > ${high} ? ${high} : ${sum}`;
        const operation = `${i}_${name}_sat_${sign}`;
        binary(
          operation,
          `p${name}${sign === "s" ? "s" : "us"}${letter}`,
          each(head(operation, "a", "b"), kind, n, text),
        );
      }
      if (sign === "u") {
        const text = `(${element("a")} + ${element("b")} + 1) >> 1`;
        binary(`${i}_avgr_u`, `pavg${letter}`, each(head(`${i}_avgr_u`, "a", "b"), kind, n, text));
      }
    }
  }
  const [u8, s16, s32] = [vector("u8"), vector("s16"), vector("s32")];
  add(
    byInstruction(
      sse,
      head("i8v_swizzle", "a", "b"),
      `${x86("pshufb128", "pshufb256")}((char __attribute__((vector_size(${bytes}))))a, (char __attribute__((vector_size(${bytes}))))((V)b | (V)((${u8})b > 15)))`,
      each(head("i8v_swizzle", "a", "b"), u8, bytes, `((${u8})b)[i] < 16 ? ((${u8})a)[(i & 16) + ((${u8})b)[i]] : 0`),
    ),
  );
  add(
    `FN ${head("i8v_popcnt", "a")} {
  ${u8} x = (${u8})a; x = x - (x >> 1 & 0x55); x = (x & 0x33) + (x >> 2 & 0x33); return (V)((x + (x >> 4)) & 0x0f);
}`,
  );
  add(
    byInstruction(
      sse,
      head("i32v_dot_i16x8_s", "a", "b"),
      `${x86("pmaddwd128", "pmaddwd256")}((short __attribute__((vector_size(${bytes}))))a, (short __attribute__((vector_size(${bytes}))))b)`,
      each(
        head("i32v_dot_i16x8_s", "a", "b"),
        s32,
        count(32),
        `(int)((${s16})a)[2 * i] * ((${s16})b)[2 * i] + (int)((${s16})a)[2 * i + 1] * ((${s16})b)[2 * i + 1]`,
      ),
    ),
  );
  add(
    each(
      head("i16v_q15mulr_sat_s", "a", "b"),
      s16,
      count(16),
      `({ int p = ((int)((${s16})a)[i] * (int)((${s16})b)[i] + 0x4000) >> 15; p > 32767 ? 32767 : p; })`,
    ),
  );

  // Each element as twice as many bits: low or high ones of each half.
  for (const [bits, wider] of [
    [8, 16],
    [16, 32],
    [32, 64],
  ] as const) {
    const [s, per] = [vector(`s${bits}`), 128 / bits];
    const interleaved = (first: number): string =>
      Array.from({ length: bytes / 16 }, (_, half) =>
        Array.from({ length: per / 2 }, (_, at) => {
          const from = half * per + first + at;
          return `${from}, ${count(bits) + from}`;
        }).join(", "),
      ).join(", ");
    for (const [which, first] of [
      ["low", 0],
      ["high", per / 2],
    ] as const) {
      for (const sign of ["s", "u"]) {
        const above = sign === "s" ? `(${s})((${s})a < 0)` : `(${s}){0}`;
        const name = `i${wider}v_extend_${which}_i${bits}x${per}_${sign}`;
        whole(name, ["a"], `SHUFFLE((${s})a, ${above}, ${s}, ${interleaved(first)})`);
        const product = `(${vector(`u${wider}`)})${name}_${bytes}(a) * (${vector(`u${wider}`)})${name}_${bytes}(b)`;
        if (bits !== 32) {
          whole(`i${wider}v_extmul_${which}_i${bits}x${per}_${sign}`, ["a", "b"], product);
          continue;
        }
        const [from] = [which === "low" ? [0, 0, 1, 1] : [2, 2, 3, 3]];
        const spread = (operand: string): string =>
          `SHUFFLE((${s})${operand}, (${s})${operand}, ${s}, ${Array.from({ length: bytes / 16 }, (_, half) => from.map((at) => 4 * half + at).join(", ")).join(", ")})`;
        const instruction = sign === "s" ? x86("pmuldq128", "pmuldq256") : x86("pmuludq128", "pmuludq256");
        const heading = head(`i64v_extmul_${which}_i32x4_${sign}`, "a", "b");
        const int = `(int __attribute__((vector_size(${bytes}))))`;
        add(
          byInstruction(
            sse,
            heading,
            `${instruction}(${int}${spread("a")}, ${int}${spread("b")})`,
            `FN ${heading} { return (V)(${product}); }`,
          ),
        );
      }
    }
    if (bits === 32) continue;
    // Neighbours added: the lower one moved up to where its sign is, and back.
    const [w, u] = [vector(`s${wider}`), vector(`u${wider}`)];
    whole(
      `i${wider}v_extadd_pairwise_i${bits}x${per}_s`,
      ["a"],
      `((${w})((${u})a << ${bits}) >> ${bits}) + ((${w})a >> ${bits})`,
    );
    whole(
      `i${wider}v_extadd_pairwise_i${bits}x${per}_u`,
      ["a"],
      `((${u})a & (${u})((${u}){0} + ((1u << ${bits}) - 1))) + ((${u})a >> ${bits})`,
    );
    // Saturated to half as many bits; those of `a` first in each half.
    for (const sign of ["s", "u"]) {
      const [low, high] = sign === "s" ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
      const name = `i${bits}v_narrow_i${wider}x${per / 2}_${sign}`;
      const x = `((i & ${per / 2}) ? (${w})b : (${w})a)[(i / ${per}) * ${per / 2} + (i & ${per / 2 - 1})]`;
      const instruction = `pack${sign === "s" ? "ss" : "us"}${wider === 16 ? "wb" : "dw"}`;
      const from = wider === 16 ? "short" : "int";
      const cast = `(${from} __attribute__((vector_size(${bytes}))))`;
      add(
        byInstruction(
          sse,
          head(name, "a", "b"),
          `${x86(`${instruction}128`, `${instruction}256`)}(${cast}a, ${cast}b)`,
          each(
            head(name, "a", "b"),
            vector(`${sign}${bits}`),
            count(bits),
            `${x} < ${low} ? ${low} : ${x} > ${high} ? ${high} : ${x}`,
          ),
        ),
      );
    }
  }
  for (const bits of [32, 64]) {
    const [f, s, n] = [vector(`f${bits}`), vector(`s${bits}`), count(bits)];
    const name = `f${bits}v`;
    const type = bits === 32 ? "float" : "double";
    const letter = bits === 32 ? "ps" : "pd";
    const sign = bits === 32 ? "0x80000000u" : "0x8000000000000000u";
    const width = wide ? "256" : "";
    add(`FN ${V} ${name}_splat_${bytes}(${type} a) { return (V)(${f}){${Array(n).fill("a").join(", ")}}; }`);
    whole(`${name}_neg`, ["a"], `(${vector(`u${bits}`)})a ^ ${sign}`);
    whole(`${name}_abs`, ["a"], `(${vector(`u${bits}`)})a & ~${sign}`);
    for (const [operation, way] of [
      ["nearest", 8],
      ["floor", 9],
      ["ceil", 10],
      ["trunc", 11],
    ] as const)
      add(
        byInstruction(
          sse,
          head(`${name}_${operation}`, "a"),
          `__builtin_ia32_round${letter}${width}((${f})a, ${way})`,
          each(head(`${name}_${operation}`, "a"), f, n, `f${bits}_${operation}(((${f})a)[i])`),
        ),
      );
    add(
      byInstruction(
        sse,
        head(`${name}_sqrt`, "a"),
        `__builtin_ia32_sqrt${letter}${width}((${f})a)`,
        each(head(`${name}_sqrt`, "a"), f, n, `f${bits}_sqrt(((${f})a)[i])`),
      ),
    );
    const nan = `(${s})((${f})a != (${f})a) | (${s})((${f})b != (${f})b)`;
    const sum = `((${f})a + (${f})b)`;
    for (const [operation, relation, zeros] of [
      ["min", "<", "|"],
      ["max", ">", "&"],
    ] as const) {
      const ordered = `(V)(${select(`(${f})a ${relation} (${f})b`, "a", "b")})`;
      const equal = select(`(${f})a == (${f})b`, `((${s})a ${zeros} (${s})b)`, `(${ordered})`);
      whole(`${name}_${operation}`, ["a", "b"], select(`(${nan})`, sum, `(${equal})`));
    }
    whole(`${name}_pmin`, ["a", "b"], select(`(${f})b < (${f})a`, "b", "a"));
    whole(`${name}_pmax`, ["a", "b"], select(`(${f})a < (${f})b`, "b", "a"));
    const fused = head(`${name}_relaxed_madd`, "a", "b", "c");
    add(
      byInstruction(
        "defined(__FMA__)",
        fused,
        `__builtin_ia32_vfmadd${letter}${width}((${f})a, (${f})b, (${f})c)`,
        each(fused, f, n, `__builtin_fma${bits === 32 ? "f" : ""}(((${f})a)[i], ((${f})b)[i], ((${f})c)[i])`),
      ),
    );
  }
  const [f32, f64] = [vector("f32"), vector("f64")];
  const truncate = `__builtin_ia32_${wide ? "cvttps2dq256" : "cvttps2dq"}`;
  // Two of four lanes in each half: lane i of two is lane `from` of four.
  const from = "(i >> 1) * 4 + (i & 1)";
  const halves = wide ? [0, 1] : [0];
  const inHalves = (...of: number[]): string => halves.flatMap((half) => of.map((at) => at + 4 * half)).join(", ");
  add(
    byInstruction(
      sse,
      head("f64v_promote_low_f32x4", "a"),
      wide
        ? `__builtin_ia32_cvtps2pd256((f32_16)half_low(SHUFFLE(a, a, V, 0, 1, 4, 5, 0, 0, 0, 0)))`
        : `__builtin_ia32_cvtps2pd((f32_16)a)`,
      each(head("f64v_promote_low_f32x4", "a"), f64, count(64), `((${f32})a)[${from}]`),
    ),
    byInstruction(
      sse,
      head("f32v_demote_f64x2_zero", "a"),
      wide ? `spread(__builtin_ia32_cvtpd2ps256((f64_32)a))` : `__builtin_ia32_cvtpd2ps((f64_16)a)`,
      each(
        head("f32v_demote_f64x2_zero", "a"),
        f32,
        count(32),
        `(i & 2) ? 0 : (float)((${f64})a)[(i >> 2) * 2 + (i & 1)]`,
      ),
    ),
  );
  for (const sign of ["s", "u"] as const) {
    const four = vector(`${sign}32`);
    // A word below the exponent of 2^52 is a double; one with a sign is moved up by 2^31 before.
    const [moved, less] = sign === "s" ? ["a ^ INT32_MIN", "4503601774854144.0"] : ["a", "4503599627370496.0"];
    const words = `SHUFFLE(${moved}, (V){0} + 0x43300000, V, ${halves.flatMap((half) => [0, 1].map((at) => `${4 * half + at}, ${count(32) + 4 * half + at}`)).join(", ")})`;
    whole(`f64v_convert_low_i32x4_${sign}`, ["a"], `(${f64})${words} - ${less}`);
    add(`FN ${head(`f32v_convert_i32x4_${sign}`, "a")} { return (V)__builtin_convertvector((${four})a, ${f32}); }`);
    const truncated = `i32v_trunc_sat_f32x4_${sign}`;
    add(
      `#if ${sse} && __has_builtin(${truncate})`,
      // The instruction gives 2^31 where the result has no 32 bits with a sign.
      sign === "s"
        ? `FN ${head(truncated, "a")} {
  ${f32} x = (${f32})a; return ((V)${truncate}(x) ^ (V)(x >= 2147483648.0f)) & (V)(x == x);
}`
        : `FN ${head(truncated, "a")} {
  ${f32} x = (${f32})a; V large = (V)(x >= 2147483648.0f);
  V low = (V)${truncate}((${f32})((V)x & ~large)), high = (V)${truncate}((${f32})((V)(x - 2147483648.0f) & large));
  return (((low & ~large) | ((high ^ INT32_MIN) & large)) | (V)(x >= 4294967296.0f)) & (V)(x > 0);
}`,
      "#else",
      each(head(truncated, "a"), s32, count(32), `i32_trunc_sat_f32_${sign}(((${f32})a)[i])`),
      "#endif",
    );
    // Within the borders, as an integer in the low bits of a larger double.
    const [low, high] = sign === "s" ? ["-2147483648.0", "2147483647.0"] : ["0.0", "4294967295.0"];
    const all = `((${f64}){0} + `;
    const larger = sign === "s" ? "6755399441055744.0" : "4503599627370496.0";
    add(`FN ${head(`i32v_trunc_sat_f64x2_${sign}_zero`, "a")} {
  V x = a & (V)((${f64})a == (${f64})a);
  x = f64v_pmax_${bytes}(f64v_pmin_${bytes}(x, (V)${all}${high})), (V)${all}${low}));
  x = (V)((${f64})f64v_trunc_${bytes}(x) + ${larger});
  return SHUFFLE(x, (V){0}, V, ${inHalves(0, 2)
    .split(", ")
    .flatMap((at, index) => (index % 2 === 1 ? [at, count(32), count(32)] : [at]))
    .join(", ")});
}`);
  }
  add(
    byInstruction(
      sse,
      head("i32v_relaxed_trunc_f32x4_s", "a"),
      `${truncate}((${f32})a)`,
      `FN ${head("i32v_relaxed_trunc_f32x4_s", "a")} { return i32v_trunc_sat_f32x4_s_${bytes}(a); }`,
    ),
  );
  return lines.join("\n");
}

const accesses = `typedef uint8_t *Place;
FN V16 load(Place at) { return AT(V16, at); }
${[8, 16, 32, 64]
  .flatMap((bits) => [
    `FN V16 load${bits}_splat(Place at) { return i${bits}v_splat_16(AT(int${bits}_t, at)); }`,
    `FN V32 wide_load${bits}_splat(Place at) { return i${bits}v_splat_32(AT(int${bits}_t, at)); }`,
  ])
  .join("\n")}
FN V16 load32_zero(Place at) { return (V16){AT(int32_t, at), 0, 0, 0}; }
FN V16 load64_zero(Place at) { return (V16)(s64_16){AT(int64_t, at), 0}; }
${[
  ["8x8", "i16v_extend_low_i8x16"],
  ["16x4", "i32v_extend_low_i16x8"],
  ["32x2", "i64v_extend_low_i32x4"],
]
  .flatMap(([name, extend]) =>
    ["s", "u"].map((sign) => `FN V16 load${name}_${sign}(Place at) { return ${extend}_${sign}_16(load64_zero(at)); }`),
  )
  .join("\n")}`;
