// Writes the plans of campaigns/: all 2^32 pairs of each form with two operands of 16 bits, each against a second way, in other operations
// or another width (both run in ptxrun): node tests/campaign/pairs.js [FOLDER]. A form takes a core three to five minutes.
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

const arithmetic = (op) => [
  ...[false, true].flatMap((ftz) =>
    [false, true].map((sat) =>
      job(words(op, ftz && "ftz", sat && "sat", "f16"), inSingle("f16", `${op}.f32`, { ftz, sat })),
    ),
  ),
  job(`${op}.bf16`, inSingle("bf16", `${op}.f32`)),
];

const extremes = (op) =>
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
  );

const relations = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan".split(" ");
const compared = (form, type, to, flush) => {
  const [x, y] = flush ? ["fa", "fb"] : ["a", "b"];
  const before = flush ? `${flushed("fa", "a")}; ${flushed("fb", "b")}; ` : "";
  return `${before}cvt.${to}.${type} x, ${x}; cvt.${to}.${type} y, ${y}; ${form} r, x, y`;
};
const comparisons = (type, ftz = false) =>
  relations.map((relation) =>
    job(words("setp", relation, ftz && "ftz", type), compared(`setp.${relation}.f32`, type, "f32", ftz)),
  );

/** The relations of the integers, by type. */
const RELATIONS = { u16: "eq ne lt le gt ge lo ls hi hs", s16: "eq ne lt le gt ge", b16: "eq ne" };
const eachInteger = (make) =>
  Object.entries(RELATIONS).flatMap(([type, relations]) =>
    relations.split(" ").map((relation) => make(relation, type)),
  );
const integerComparisons = eachInteger((relation, type) => {
  const wide = `${type[0]}32`;
  const against =
    type === "b16"
      ? `xor.b16 x, a, b; cvt.u32.u16 y, x; setp.${relation}.u32 r, y, 0`
      : compared(`setp.${relation}.${wide}`, type, wide, false);
  return job(`setp.${relation}.${type}`, against);
});

/** What set gives for true, by the type of its destination. */
const TRUE = { u16: "0xffff", f16: "0x3c00", bf16: "0x3f80", u32: "0xffffffff", f32: "0x3f800000" };

/** set as a setp, which has a plan of its own, and a choice. */
const set = (relation, to, from, ftz = false) =>
  job(
    words("set", relation, ftz && "ftz", to, from),
    `${words("setp", relation, ftz && "ftz", from)} p, a, b; selp.b${to.endsWith("32") ? 32 : 16} r, ${TRUE[to.replace(/^s/, "u")]}, 0, p`,
  );
const sets = (type, ftz) =>
  [type, "u16", "s16", "u32", "s32"].flatMap((to) => relations.map((relation) => set(relation, to, type, ftz)));
const integerSets = ["f16", "bf16", "u32", "s32", "f32"].flatMap((to) =>
  eachInteger((relation, type) => set(relation, to, type)),
);

const integers = ["u16", "s16"].flatMap((type) => {
  const wide = `${type[0]}32`;
  const by = (operation, shift = "") =>
    `cvt.${wide}.${type} x, a; cvt.${wide}.${type} y, b; ${operation} s, x, y; ${shift}`;
  const low = `cvt.${type}.${wide} r, s`;
  return [
    ...["add", "sub", "min", "max"].map((op) => job(`${op}.${type}`, by(`${op}.${wide}`, low))),
    job(`mul.lo.${type}`, by(`mul.lo.${wide}`, low)),
    job(`mul.hi.${type}`, by(`mul.lo.${wide}`, `shr.${wide} t, s, 16; cvt.${type}.${wide} r, t`)),
    ...["div", "rem"].map((op) => job(`${op}.${type}`, by(`${op}.${wide}`, low))),
    job(`mul.wide.${type}`, `cvt.${wide}.${type} x, a; cvt.${wide}.${type} y, b; mul.lo.${wide} r, x, y`),
  ];
});
const logic = ["and", "or", "xor"].map((op) =>
  job(`${op}.b16`, `cvt.u32.u16 x, a; cvt.u32.u16 y, b; ${op}.b32 s, x, y; cvt.u16.u32 r, s`),
);

const plans = {
  "integers-16": [...integers, ...logic],
  ...Object.fromEntries(["add", "sub", "mul"].map((op) => [`half-${op}`, arithmetic(op)])),
  ...Object.fromEntries(["min", "max"].map((op) => [`half-${op}`, extremes(op)])),
  "setp-16": integerComparisons,
  "setp-f16": comparisons("f16"),
  "setp-ftz-f16": comparisons("f16", true),
  "setp-bf16": comparisons("bf16"),
  "set-16": integerSets,
  "set-f16": sets("f16"),
  "set-ftz-f16": sets("f16", true),
  "set-bf16": sets("bf16"),
};
const [to = resolve(import.meta.dirname, "../../campaigns")] = process.argv.slice(2);
for (const [name, jobs] of Object.entries(plans)) {
  const text = JSON.stringify({ schema: "ptxrun.campaign/1", name, jobs }, null, 2);
  writeFileSync(resolve(to, `${name}.json`), `${text}\n`);
}
