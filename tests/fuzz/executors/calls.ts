import type { Random } from "./random.ts";

/** A device function that bodies may call. */
export interface Callee {
  readonly name: string;
  /** Arguments and result are registers, or bytes of param space. */
  readonly by: "register" | "param";
  readonly recursive: boolean;
  /** Warps wait for each other in it. */
  readonly meets: boolean;
}

/** The lines of a call. `together` while no lane has parted from the others; `label` gives one that is new. */
export function callLines(random: Random, callee: Callee, together: boolean, label: () => string): string[] {
  const { name, by, recursive } = callee;
  const lines: string[] = [];
  const guard = random.chance(20) ? `@%p${random.below(5)} ` : "";
  const uni = together && guard === "" && random.chance(50) ? ".uni" : "";
  const [a, r] = [`%r${random.below(8)}`, `%r${random.below(8)}`];
  const depth = recursive ? "%a32" : a;
  if (recursive) lines.push(`mov.u32 %a32, ${random.any(["%tid.x", a])};`, "and.b32 %a32, %a32, 3;");
  if (by === "register" && random.chance(25)) {
    const prototype = label();
    lines.push(`mov.u64 %a64, ${name};`, `${prototype}: .callprototype (.reg .b32 _) _ (.reg .b32 _);`);
    lines.push(`${guard}call${uni} (${r}), %a64, (${depth}), ${prototype};`);
  } else if (by === "register") lines.push(`${guard}call${uni} (${r}), ${name}, (${depth});`);
  else {
    lines.push("{", ".param .b32 to; .param .align 8 .b8 with[16];");
    lines.push(`st.param.b32 [with], ${depth};`, `st.param.b64 [with+8], %q${random.below(6)};`);
    lines.push(`${guard}call${uni} (to), ${name}, (with);`, `ld.param.b32 ${r}, [to];`, "}");
  }
  return lines;
}

/** The lines of a function around those of its body: what it is given, a call of itself where it is recursive, the result. */
export function aroundBody(
  { name, by, recursive }: Callee,
  body: readonly string[],
  random: Random,
): { readonly head: string; readonly lines: readonly string[] } {
  const [to, from] =
    by === "register" ? [".reg .b32 %to", ".reg .b32 %with"] : [".param .b32 to", ".param .align 8 .b8 with[16]"];
  const take =
    by === "register" ? ["mov.b32 %r0, %with;"] : ["ld.param.b32 %r0, [with];", "ld.param.b64 %q0, [with+8];"];
  const give = by === "register" ? "mov.b32 %to, %r1;" : "st.param.b32 [to], %r1;";
  const again = [
    "and.b32 %a32, %r0, 3;",
    "setp.eq.u32 %l0, %a32, 0;",
    `@%l0 bra ${name}_end;`,
    "sub.u32 %a32, %a32, 1;",
    ...(by === "register"
      ? [`call (%r2), ${name}, (%a32);`]
      : [
          ...["{", ".param .b32 t; .param .align 8 .b8 w[16];", "st.param.b32 [w], %a32;", "st.param.b64 [w+8], %q0;"],
          ...[`call (t), ${name}, (w);`, "ld.param.b32 %r2, [t];", "}"],
        ]),
  ];
  const parts = recursive ? [again, body, [`${name}_end:`]] : [body];
  if (recursive && random.chance(50)) parts.splice(0, 2, body, again);
  return { head: `.func (${to}) ${name}(${from})`, lines: [...take, "mov.b32 %r1, %r0;", ...parts.flat(), give] };
}

/** Functions of the driver, as a program declares them that calls one. */
export const driverFunctions: readonly (readonly [name: string, declaration: string])[] = [
  ["vprintf", ".extern .func (.param .b32 to) vprintf(.param .b64 text, .param .b64 with);"],
  ["malloc", ".extern .func (.param .b64 to) malloc(.param .b64 bytes);"],
  ["free", ".extern .func free(.param .b64 at);"],
];

/** Calls of the driver: print, memory of the heap. `%v` is a pointer of its own. */
export function driverLines(random: Random, local: string): string[] {
  const guard = random.chance(40) ? `@${random.chance(50) ? "!" : ""}%p${random.below(5)} ` : "";
  const r = (): string => `%r${random.below(8)}`;
  const allocate = [
    "{", ".param .b64 to;", ".param .b64 bytes;",
    `mov.u64 %a64, ${random.any([16, 16, 24, 64, 200, 9_000_000])};`, "st.param.b64 [bytes], %a64;",
    `${guard}call (to), malloc, (bytes);`, "ld.param.b64 %v, [to];", "}",
  ]; // biome-ignore format: as it is printed
  const release = ["{", ".param .b64 at;", "st.param.b64 [at], %v;", `${guard}call free, (at);`, "}"];
  const use = [
    "setp.ne.u64 %lw, %v, 0;", `@%lw st.global.b32 [%v], ${r()};`,
    `@%lw ld.global.b32 ${r()}, [%v+${random.chance(95) ? 0 : 8}];`,
  ]; // biome-ignore format: as it is printed
  if (random.chance(45)) {
    const lines = ["mov.u64 %v, 0;", ...allocate];
    if (random.chance(80)) lines.push(...use);
    if (random.chance(85)) lines.push(...release);
    return random.chance(4) ? [...lines, ...release] : lines;
  }
  return [
    `st.local.b32 [${local}], ${r()};`, `st.local.b32 [${local}+4], ${r()};`, `st.local.b64 [${local}+8], %q${random.below(6)};`,
    "mov.u64 %a64, F;", random.chance(50) ? "add.u64 %a64, %a64, 16;" : "add.u64 %a64, %a64, 0;",
    "mov.u64 %v, L;", "cvta.local.u64 %v, %v;",
    "{", ".param .b32 to;", ".param .b64 text;", ".param .b64 with;",
    "st.param.b64 [text], %a64;", "st.param.b64 [with], %v;",
    `${guard}call (to), vprintf, (text, with);`, `ld.param.b32 ${r()}, [to];`, "}",
  ]; // biome-ignore format: as it is printed
}
