import { type Hostile, limits } from "./corpus.ts";

export const header = ".version 9.0\n.target sm_90\n.address_size 64\n";
export const kernel = (body: string, parameters = ""): string =>
  `${header}.visible .entry k(${parameters})\n{\n${body}\nret;\n}\n`;

const run = (name: string, text: string, exits: readonly number[]): Hostile => ({
  name,
  text,
  argv: ["run", "FILE", ...limits],
  exits,
});

/** Brackets, signs and the like within each other. */
export function nesting(): Hostile[] {
  const expression = (text: string) => kernel(`.reg .u32 a; mov.u32 a, ${text};`);
  const kinds: readonly (readonly [name: string, text: (depth: number) => string])[] = [
    ["blocks", (depth) => kernel("{".repeat(depth) + "}".repeat(depth))],
    ["open blocks", (depth) => kernel("{".repeat(depth))],
    ["parentheses", (depth) => expression(`${"(".repeat(depth)}1${")".repeat(depth)}`)],
    ["signs", (depth) => expression(`${"-".repeat(depth)}1`)],
    ["complements", (depth) => expression(`${"~".repeat(depth)}1`)],
    ["casts", (depth) => expression(`${"(.s64)".repeat(depth)}1`)],
    ["conditions", (depth) => expression(`${"1 ? ".repeat(depth)}1${" : 1".repeat(depth)}`)],
    ["sums", (depth) => expression(`${"1+".repeat(depth)}1`)],
    ["vectors", (depth) => kernel(`.reg .u32 a; mov.v2.u32 a, ${"{".repeat(depth)}a${"}".repeat(depth)};`)],
    ["addresses", (depth) => kernel(`.reg .u32 a; ld.u32 a, ${"[".repeat(depth)}a${"]".repeat(depth)};`)],
    [
      "initialisers",
      (depth) => `${header}.global .u32 g = ${"{".repeat(depth)}1${"}".repeat(depth)};\n.entry k() { ret; }`,
    ],
    ["dimensions", (depth) => `${header}.global .u8 g${"[1]".repeat(depth)};\n.entry k() { ret; }`],
  ];
  // The deepest has just room to be loaded: `limits` allows 160,000 tokens.
  return kinds.flatMap(([name, text]) =>
    [300, 5000, 40_000].map((depth) => run(`${depth} ${name}`, text(depth), name === "dimensions" ? [0, 3] : [3])),
  );
}

/** Declarations of more than there is. */
export function declarations(): Hostile[] {
  const sizes = ["70000000", "2000000000", "4294967297", "9007199254740993", "18446744073709551615", "1".repeat(60)];
  const ends = [0, 3, 6];
  return sizes.flatMap((size) => [
    run(`registers ${size}`, kernel(`.reg .b64 %r<${size}>; mov.u64 %r1, 7;`), ends),
    run(
      `global ${size}`,
      `${header}.global .b8 g[${size}];\n.entry k() { .reg .u32 a; ld.global.u8 a, [g]; ret; }`,
      ends,
    ),
    run(`shared ${size}`, kernel(`.shared .b8 s[${size}]; .reg .u32 a; mov.u32 a, s;`), ends),
    run(`local ${size}`, kernel(`.local .b8 l[${size}]; .reg .u64 a; mov.u64 a, l;`), [...ends, 4]),
    run(`constant ${size}`, `${header}.const .b8 c[${size}];\n.entry k() { ret; }`, ends),
    run(`parameter ${size}`, kernel("", `.param .b8 p[${size}]`), [...ends, 2]),
    run(`alignment ${size}`, `${header}.global .align ${size} .b8 g;\n.entry k() { ret; }`, ends),
    run(`stack ${size}`, kernel(`.reg .u64 a; alloca.u64 a, ${size};`), [...ends, 4]),
    { name: `block ${size}`, text: kernel(""), argv: ["run", "FILE", "--block", size, ...limits], exits: [2] },
    {
      name: `shared memory ${size}`,
      text: kernel(""),
      argv: ["run", "FILE", "--smem", size, ...limits],
      exits: [2, 6],
    },
    {
      name: `buffer ${size}`,
      text: kernel("", ".param .u64 p"),
      argv: ["run", "FILE", "-a", `p=u32x${size}:iota`, ...limits],
      exits: [2, 6],
    },
  ]);
}
