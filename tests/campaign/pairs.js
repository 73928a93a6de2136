// Writes the plans of campaigns/: all 2^32 pairs of 110 forms with two operands of 16 bits (not div, rem, set), each against a second way, in
// other operations or another width (both run in ptxrun): node tests/campaign/pairs.js [FOLDER]
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** Parts of 2^26 pairs: some seconds each. */
const PARTS = 64;

/** Values of subnormals become zeros of their sign, by integers. */
const flushed = (to, from) =>
  `and.b16 ${to}e, ${from}, 0x7c00; setp.eq.u16 ${to}p, ${to}e, 0; and.b16 ${to}z, ${from}, 0x8000; selp.b16 ${to}, ${to}z, ${from}, ${to}p`;

/** A float operation in binary32: with 24 bits of precision, a second rounding to 11 or 8 bits is harmless. */
function inSingle(type, operation, { ftz = false, sat = false } = {}) {
  const wide = (to, from) => `cvt.f32.${type} ${to}, ${from}`;
  const narrow = `cvt.rn${sat ? ".sat" : ""}.${type}.f32`;
  if (!ftz) return [wide("x", "a"), wide("y", "b"), `${operation} s, x, y`, `${narrow} r, s`].join("; ");
  return [
    ...[flushed("fa", "a"), flushed("fb", "b"), wide("x", "fa"), wide("y", "fb"), `${operation} s, x, y`],
    // What is below the least normal number before it is rounded becomes a zero: 2^-14 is 0x38800000.
    ...["and.b32 m, s, 0x7fffffff", "setp.lt.u32 small, m, 0x38800000", "and.b32 zero, s, 0x80000000"],
    ...["selp.b32 t, zero, s, small", `${narrow} r, t`],
  ].join("; ");
}

/** The nearer to zero, or the farther, of two magnitudes; a number's sign is that of the product. */
function ofMagnitudes(type, operation, { ftz = false } = {}) {
  const [a, b] = ftz ? ["fa", "fb"] : ["a", "b"];
  return [
    ...(ftz ? [flushed("fa", "a"), flushed("fb", "b")] : []),
    ...[`and.b16 c, ${a}, 0x7fff`, `and.b16 d, ${b}, 0x7fff`, `cvt.f32.${type} x, c`, `cvt.f32.${type} y, d`],
    ...[`${operation} s, x, y`, `cvt.rn.${type}.f32 t, s`, `xor.b16 g, ${a}, ${b}`, "and.b16 h, g, 0x8000"],
    ...["or.b16 u, t, h", "setp.nan.f32 n, s, s", "selp.b16 r, t, u, n"],
  ].join("; ");
}

const words = (...parts) => parts.filter(Boolean).join(".");
const job = (form, against) => ({ name: form, sweep: [form, "--against", against, "--all"], parts: PARTS });

const arithmetic = ["add", "sub", "mul"].flatMap((op) => [
  ...[false, true].flatMap((ftz) =>
    [false, true].map((sat) =>
      job(words(op, ftz && "ftz", sat && "sat", "f16"), inSingle("f16", `${op}.f32`, { ftz, sat })),
    ),
  ),
  job(`${op}.bf16`, inSingle("bf16", `${op}.f32`)),
]);

const extremes = ["min", "max"].flatMap((op) =>
  ["f16", "bf16"].flatMap((type) =>
    (type === "f16" ? [false, true] : [false]).flatMap((ftz) =>
      ["", "NaN"].flatMap((nan) =>
        ["", "xorsign.abs"].map((sign) =>
          job(
            words(op, ftz && "ftz", nan, sign, type),
            (sign === "" ? inSingle : ofMagnitudes)(type, words(op, nan, "f32"), { ftz }),
          ),
        ),
      ),
    ),
  ),
);

const relations = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan".split(" ");
const compared = (form, type, to, flush) => {
  const [x, y] = flush ? ["fa", "fb"] : ["a", "b"];
  const before = flush ? `${flushed("fa", "a")}; ${flushed("fb", "b")}; ` : "";
  return `${before}cvt.${to}.${type} x, ${x}; cvt.${to}.${type} y, ${y}; ${form} r, x, y`;
};
const comparisons = [
  ...["f16", "bf16"].flatMap((type) =>
    (type === "f16" ? [false, true] : [false]).flatMap((ftz) =>
      relations.map((relation) =>
        job(words("setp", relation, ftz && "ftz", type), compared(`setp.${relation}.f32`, type, "f32", ftz)),
      ),
    ),
  ),
  ...["u16", "s16"].flatMap((type) =>
    relations
      .slice(0, 6)
      .map((relation) =>
        job(`setp.${relation}.${type}`, compared(`setp.${relation}.${type[0]}32`, type, `${type[0]}32`, false)),
      ),
  ),
];

const integers = ["u16", "s16"].flatMap((type) => {
  const wide = `${type[0]}32`;
  const by = (operation, shift = "") =>
    `cvt.${wide}.${type} x, a; cvt.${wide}.${type} y, b; ${operation} s, x, y; ${shift}`;
  const low = `cvt.${type}.${wide} r, s`;
  return [
    ...["add", "sub", "min", "max"].map((op) => job(`${op}.${type}`, by(`${op}.${wide}`, low))),
    job(`mul.lo.${type}`, by(`mul.lo.${wide}`, low)),
    job(`mul.hi.${type}`, by(`mul.lo.${wide}`, `shr.${wide} t, s, 16; cvt.${type}.${wide} r, t`)),
    job(`mul.wide.${type}`, `cvt.${wide}.${type} x, a; cvt.${wide}.${type} y, b; mul.lo.${wide} r, x, y`),
  ];
});
const logic = ["and", "or", "xor"].map((op) =>
  job(`${op}.b16`, `cvt.u32.u16 x, a; cvt.u32.u16 y, b; ${op}.b32 s, x, y; cvt.u16.u32 r, s`),
);

const plans = {
  "half-arithmetic": arithmetic,
  "half-extremes": extremes,
  "half-comparisons": comparisons,
  "integers-16": [...integers, ...logic],
};
const [to = resolve(import.meta.dirname, "../../campaigns")] = process.argv.slice(2);
for (const [name, jobs] of Object.entries(plans)) {
  const text = JSON.stringify({ schema: "ptxrun.campaign/1", name, jobs }, null, 2);
  writeFileSync(resolve(to, `${name}.json`), `${text}\n`);
}
