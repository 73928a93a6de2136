import { type Hostile, limits } from "./corpus.ts";
import { kernel } from "./sizes.ts";

const add = "add.u32 d, a, b;\n";
const check = (name: string, text: string, more: Partial<Hostile> = {}): Hostile => ({
  name,
  text,
  argv: ["check", "FILE", ...limits],
  exits: [1],
  ...more,
});

/** Characters that must not reach a terminal, in every place that a message may repeat. */
export function controls(): Hostile[] {
  const dangerous = [
    "\u001b[31m",
    "\u001b]0;title\u0007",
    "\u0000",
    "\b\b\b\b",
    "\u007f",
    "\u009b31m",
    "\u202e",
    "\u200b",
    "\r",
  ];
  return dangerous.flatMap((text, index) => [
    { name: `name ${index}`, text: `mov.u32 a${text}b, 1;\n`, argv: ["run", "FILE", ...limits], exits: [3] },
    { name: `string ${index}`, text: kernel(`.pragma "${text}";`), argv: ["run", "FILE", ...limits], exits: [0, 3] },
    { name: `comment ${index}`, text: kernel(`// ${text}`), argv: ["lint", "FILE"], exits: [0, 3] },
    {
      name: `name ${index} in JSON`,
      text: `mov.u32 a${text}b, 1;\n`,
      argv: ["run", "FILE", "--json", ...limits],
      exits: [3],
    },
    { name: `comment ${index} in JSON`, text: kernel(`// ${text}`), argv: ["lint", "FILE", "--json"], exits: [0, 3] },
    check(`case ${index} in JSON`, `//@ case a${text}b: a=1 b=1 -> d=3\n${add}`, {
      argv: ["check", "FILE", "--reporter", "json"],
    }),
    { name: `register ${index}`, text: add, argv: ["run", "FILE", "-r", `a${text}=1`, ...limits], exits: [2] },
    { name: `value ${index}`, text: add, argv: ["run", "FILE", "-r", `a=${text}`, ...limits], exits: [2] },
    { name: `word ${index}`, text: add, argv: ["run", "FILE", `--${text}`], exits: [2] },
    { name: `path ${index}`, text: add, argv: ["check", `no${text.replace("\u0000", "")}.ptx`], exits: [2] },
    check(`case ${index}`, `//@ case a${text}b: a=1 b=1 -> d=3\n${add}`),
    check(`expectation ${index}`, `//@ case a: a=1 b=1 -> d${text}=3\n${add}`),
  ]);
}

/** Directives that reach for other files, or for more than there is. */
export function directives(): Hostile[] {
  const paths = [
    "../outside.bin", "../../../../../../etc/passwd", "/etc/passwd", "./../x/../../etc/passwd", "sub/../../outside.bin",
    "/dev/zero", "/dev/stdin", "/proc/self/mem", "..", ".", "sub/..", "~/.ssh/id_rsa", "file:///etc/passwd", "..\\outside.bin",
    "%2e%2e/outside.bin", "a\u0000b", "x".repeat(5000), `${"sub/".repeat(1000)}x`, "missing.bin", "//etc/passwd",
  ]; // biome-ignore format: a list
  const reading = paths.map((path, index) =>
    check(`path ${index}`, `//@ case a: p=@${path} -> p=1\nld.global.u32 a, [p];\n`),
  );
  const line = (text: string) => `${text}\n${add}`;
  const more = [
    "//@ snapshot ../../x: a=1 b=1", "//@ snapshot /etc/x: a=1 b=1", `//@ snapshot ${"x".repeat(5000)}: a=1 b=1`,
    "//@ case a: a=u32x4000000000 b=1 -> d=1", "//@ case a: a=u32x99999999999999999999 b=1 -> d=1",
    "//@ case a: a=u32x20000000:iota b=1 -> d=1", "//@ case a: a=f32x4:fill= b=1 -> d=1",
    "//@ args: --grid 2000000000 --block 1024\n//@ case a: a=1 b=1 -> d=3", "//@ args: --block 99999999999\n//@ case a: a=1 b=1 -> d=3",
    "//@ args: -o /tmp/x\n//@ case a: a=1 b=1 -> d=2", "//@ args: --dump d=@/tmp/x\n//@ case a: a=1 b=1 -> d=2",
    "//@ args: --smem 999999999999\n//@ case a: a=1 b=1 -> d=3", "//@ args: --max-mem 999999G\n//@ case a: a=1 b=1 -> d=3",
    "//@ args: --help\n//@ case a: a=1 b=1 -> d=2", "//@ args: --version\n//@ case a: a=1 b=1 -> d=2",
    "//@ args: --stack 99999999999\n//@ case a: a=1 b=1 -> d=3", "//@ args: --thread 99999999/99999\n//@ case a: a=1 b=1 -> d=3",
    "//@ args: --seeds 5..1\n//@ case a: a=1 b=1 -> d=3", "//@ case __proto__: a=1 b=1 -> constructor=3",
    "//@ case a: __proto__=1 a=1 b=1 -> d=2", `//@ case a: ${"a=1 ".repeat(20_000)}b=1 -> d=2`,
    `//@ case a: a=1 b=1 -> ${"d=3 ".repeat(5000)}`, `//@ case a: a=${"9".repeat(100_000)} b=1 -> d=2`,
    `//@ case a: a=1e${"9".repeat(50)} b=1 -> d=2`, `//@ case ${"x".repeat(100_000)}: a=1 b=1 -> d=3`,
    "//@ case a: a=1 b=1 -> d[99999999999999999999]=3", "//@ case a: a=1 b=1 -> d~2 ulp 99999999999999999999999 d=3",
    "//@", "//~", "//@ case", "//@ launch", "//@ snapshot:", "//@ case a: -> ->", "//@ case : : : ->",
    `//@ launch k${" --grid 1".repeat(2000)}\n//@ case a: a=1 -> d=1`,
  ]; // biome-ignore format: a list
  const counting = "//@ args: --seeds 0..4294967295 --max-steps 1K\n//@ case a: a=1 b=1 -> d=2";
  const many = Array.from({ length: 100 }, (_, index) => `//@ case c${index}: a=1 b=1 -> d=${index}`).join("\n");
  return [
    ...reading,
    ...more.map((text, index) => check(`directive ${index}`, line(text), { exits: [0, 1] })),
    check("a path of 5000 letters", add, { argv: ["check", "x".repeat(5000)], exits: [2] }),
    check("seeds without an end", line(counting), { argv: ["check", "FILE", "--timeout", "3ms"] }),
    check("a hundred that fail", line(many)),
    check("a hundred, updated", line(many), { argv: ["check", "FILE", "--update"], exits: [0] }),
    check("a snapshot beyond a link", line("//@ snapshot: a=1 b=1"), {
      argv: ["check", "FILE", "--update"],
      exits: [0],
    }),
  ];
}

/** Sidecars that are none. */
export function sidecars(): Hostile[] {
  const schema = '"schema": "ptxrun.check-sidecar/1"';
  const texts = [
    "[".repeat(200_000), "{\"a\":".repeat(100_000), "\"".repeat(100_000), "", "\u0000", "null", `{ ${schema} }`,
    `{ ${schema}, "directives": ["case a: a=@../x b=1 -> d=1"] }`, `{ ${schema}, "directives": ["args: -o x", "case a: a=1 b=1 -> d=1"] }`,
    `{ ${schema}, "errors": [{ "line": 1e308, "code": "PTX1203" }] }`, `{ ${schema}, "errors": [{ "line": 99, "code": "PTX1203" }] }`,
    `{ "__proto__": { "directives": [] }, ${schema} }`, `{ ${schema}, "directives": ["${"x".repeat(500_000)}"] }`,
    `{ ${schema}, "directives": [${"\"case a: a=1 b=1 -> d=2\",".repeat(5000)}"x"] }`, `{ ${schema}, "directives": ["case \\u001b[31m: a=1 b=1 -> d=3"] }`,
  ]; // biome-ignore format: a list
  return texts.map((text, index) => check(`sidecar ${index}`, add, { beside: { ".ptxcheck.json": text } }));
}
