// One function a primitive of `prelude.h` and of the C library where both sides agree on every bit: what fails here is
// found at once, not inside a large expression.

const binary = ["add", "sub", "mul", "div"];
const modes = ["rn", "rz", "ru", "rd"];
const words = { i32: "(i32)x[0], (i32)x[1], (i32)x[2]", u32: "x[0], x[1], x[2]" };
const x32 = ["bits<f32>(x[0])", "bits<f32>(x[1])", "bits<f32>(x[2])"];
const at64 = (at) => `((u64)x[${at}] << 32 | x[${at + 1}])`;
// Half of the doubles are floats, or their sums would all be lost against each other.
const x64 = [0, 2, 4].map((at) => `(x[7] & 1 ? bits<f64>(${at64(at)}) : (f64)bits<f32>(x[${at}]))`);

function floating(prefix, name, values, suffix) {
  const [a, b, c] = values;
  const calls = [];
  for (const mode of modes) {
    for (const each of binary) calls.push(`${prefix}${each}_${mode}(${a}, ${b})`);
    calls.push(`${prefix}rcp_${mode}(${a})`, `${prefix}sqrt_${mode}(${a})`, `fma${name}_${mode}(${a}, ${b}, ${c})`);
    for (const each of ["toi32", "tou32", "toi64", "tou64"]) calls.push(`${each}_${mode}(${a})`);
  }
  for (const each of ["fabs", "floor", "ceil", "trunc", "rint", "round", "sqrt", "nearbyint", "logb"])
    calls.push(`${each}${suffix}(${a})`);
  for (const each of ["fmod", "remainder", "copysign", "nextafter", "fdim"]) calls.push(`${each}${suffix}(${a}, ${b})`);
  calls.push(`ldexp${suffix}(${a}, (i32)(x[3] % 300) - 150)`, `scalbn${suffix}(${a}, (i32)(x[3] % 2200) - 1100)`);
  calls.push(`ilogb${suffix}(${a} == 0 || !(fabs${suffix}(${a}) < 1e38f) ? 1 : ${a})`);
  calls.push(
    `least(${a}, ${b})`,
    `most(${a}, ${b})`,
    `(u32)(isnan(${a}) | isinf(${a}) << 1 | !!signbit(${a}) << 2 | isfinite(${a}) << 3)`,
  );
  calls.push(`[&] { int e = 0; auto m = frexp${suffix}(${a}, &e); return raw(m) * 3 + (isfinite(${a}) ? e : 0); }()`);
  calls.push(
    `[&] { ${prefix}64 w = 0; auto m = modf${suffix}(${a}, &w); return raw(m) * 3 + raw(w); }()`.replaceAll(
      /[fd]64 w/g,
      `f${name} w`,
    ),
  );
  calls.push(
    `(${a} < ${b}) | (${a} <= ${b}) << 1 | (${a} == ${b}) << 2 | (${a} != ${b}) << 3 | !(${a} > ${b}) << 4 | !(${a} >= ${b}) << 5`,
  );
  return calls;
}

function integral() {
  const calls = [
    "popc(x[0])",
    `popc(${at64(0)})`,
    "leading(x[0])",
    `leading(${at64(0)})`,
    "first(x[0])",
    `first(${at64(0)})`,
    "mirror(x[0])",
    `mirror(${at64(0)})`,
  ];
  for (const type of ["i32", "u32"]) {
    const [a, b, c] = words[type].split(", ");
    calls.push(
      `high(${a}, ${b})`,
      `high((${type[0]}64)${at64(0)}, (${type[0]}64)${at64(2)})`,
      `mul24(${a}, ${b})`,
      `apart(${a}, ${b}, x[2])`,
    );
    calls.push(`half_sum(${a}, ${b})`, `half_up(${a}, ${b})`, `dots(${a}, ${b}, ${c})`, `pair_dot(${a}, ${b}, ${c})`);
  }
  for (const each of ["permute", "funnel_l", "funnel_r", "funnel_lc", "funnel_rc"])
    calls.push(`${each}(x[0], x[1], x[2])`);
  for (const each of [
    "vadd4",
    "vsub2",
    "vmaxs4",
    "vminu2",
    "vabsdiffu4",
    "vaddss2",
    "vsubus4",
    "vcmpgts2",
    "vseteq4",
    "vavgu4",
  ])
    calls.push(`${each}(x[0], x[1])`);
  for (const type of ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i128", "u128"]) {
    const wide = type.endsWith("128");
    const a = wide ? `((${type})${at64(0)} << 64 | ${at64(2)})` : `(${type})${at64(0)}`;
    const b = wide ? `((${type})${at64(4)} << (x[6] & 127) >> 40)` : `(${type})${at64(2)}`;
    calls.push(
      `over(${a}, ${b})`,
      `rest(${a}, ${b})`,
      `(${type})(${a} / 7)`,
      `(${type})(${a} % 1000)`,
      `(${type})(${a} >> (x[5] % (sizeof(${type}) * 8)))`,
    );
    calls.push(
      `(${type})(${a} << (x[5] % (sizeof(${type}) * 8)))`,
      `(${type})(${a} * (${type === "i16" || type === "u16" ? "u32" : type})${b})`,
    );
    if (!wide) calls.push(`(f32)(${a})`, `(f64)(${a})`);
  }
  for (const mode of modes)
    calls.push(
      `fi32_${mode}((i32)x[0])`,
      `fu32_${mode}(x[0])`,
      `fi64_${mode}((i64)${at64(0)})`,
      `di64_${mode}((i64)${at64(0)})`,
      `narrow_${mode}(${x64[0]})`,
    );
  return calls;
}

/** Program text in pieces of the size of a random program's; `only` picks those of one kind. */
export function primitives(seed) {
  const kinds = [() => floating("f", "32", x32, "f"), () => floating("d", "64", x64, ""), integral];
  return kinds[seed % kinds.length]();
}
