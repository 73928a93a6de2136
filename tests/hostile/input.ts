import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { looking, type World } from "../unit/cli/world.ts";
import type { Hostile } from "./corpus.ts";

const load = ["-e", "ld.global.u32 d, [a];"];
const little = ["--max-mem", "64M"];
const device = /PTX2011: cannot read .*: it is a device, not a file/;
const limits = ["--timeout", "10m", ...little];

/** Streams without an end, special files, and trees that a stranger made: attacks on what a command reads, where `place` was. */
const attacks: readonly Hostile[] = [
  { name: "a device as a program", argv: ["/dev/zero"], exits: [2], says: device },
  { name: "a device to trace", argv: ["trace", "/dev/zero"], exits: [2], says: device },
  { name: "a device to check", argv: ["check", "/dev/zero"], exits: [1], says: device },
  { name: "a device to lint", argv: ["lint", "/dev/zero"], exits: [2], says: device },
  { name: "a device to disassemble", argv: ["visa", "disasm", "/dev/zero"], exits: [2], says: device },
  { name: "a device to debug", argv: ["repl", "/dev/urandom"], exits: [2], says: device },
  { name: "a device as a script", argv: ["repl", "-x", "/dev/zero"], exits: [2], says: device },
  { name: "a device that a command of the debugger names", argv: ["repl", "--command", "source /dev/zero"], exits: [2], says: device },
  { name: "a device that the debugger loads", argv: ["repl", "--command", "load /dev/zero"], exits: [2], says: device },
  { name: "a device as a buffer", alone: true, argv: [...load, "-r", "a=@/dev/zero"], exits: [2], says: device },
  { name: "a device as an array", argv: [...load, "-r", "a=@zero.npy"], exits: [2], says: device },
  { name: "a device as a parameter", argv: ["k.ptx", "-a", "p=@/dev/zero"], exits: [2], says: device },
  { name: "a device as a variable", argv: ["k.ptx", "-g", "g=@/dev/zero"], exits: [2], says: device },
  { name: "a folder", argv: ["tree"], exits: [2], says: /it is a folder/ },
  { name: "a folder as a buffer", argv: [...load, "-r", "a=@tree"], exits: [2], says: /it is a folder/ },
  { name: "links in a circle", argv: ["circle.ptx"], exits: [2], says: /its links form a loop/ },
  { name: "a name that is too long", argv: ["x".repeat(5000)], exits: [2], says: /the name is too long/ },
  { name: "memory of the process", argv: [...load, "-r", "a=@/proc/self/mem"], exits: [2], says: /PTX2011/ },
  { name: "a file of /proc without a size", argv: [...load, "-r", "a=@/proc/self/maps", "-d", "d"], exits: [0], says: /^d {2}b32/ },
  { name: "an endless pipe", argv: ["-"], from: "cat /dev/zero", exits: [6], says: /PTX6004: standard input has more than 268435456 bytes/ },
  { name: "an endless pipe by its name", argv: [...load, "-r", "a=@/dev/stdin", ...little], from: "yes", exits: [6], says: /PTX6003: no room for \/dev\/stdin, more than 67108864 bytes/ },
  { name: "a hole of a terabyte as a program", alone: true, argv: ["hole.ptx"], exits: [6], says: /PTX6004/ },
  { name: "a hole of a terabyte as a buffer", alone: true, argv: [...load, "-r", "a=@hole.ptx", ...little], exits: [6], says: /PTX6003/ },
  { name: "a pipe that nobody writes to", alone: true, argv: ["pipe/f.ptx"], exits: [2], says: /a pipe that nobody writes to/ },
  { name: "a link to a device in a tree", argv: ["check", "zero", ...limits], exits: [1], says: /PTX2015: .*z\.ptx is a link out of the folder/ },
  { name: "a link to a device, linted", argv: ["lint", "zero"], exits: [2], says: /PTX2015/ },
  { name: "a link to a secret in a tree", argv: ["check", "leak"], exits: [1], says: /PTX2015/ },
  { name: "a link to a secret, linted", argv: ["lint", "leak"], exits: [2], says: /PTX2015/ },
  { name: "a sidecar that is a link", argv: ["check", "side"], exits: [1], says: /PTX2015: .*s\.ptxcheck\.json/ },
  { name: "a sidecar beside a file that is named", argv: ["check", "side/s.ptx"], exits: [1], says: /PTX2015: .*s\.ptxcheck\.json/ },
  { name: "a pipe in a tree", argv: ["check", "pipe"], exits: [1], says: /it is a pipe, and only files are read here/ },
  { name: "a pipe in a tree, linted", argv: ["lint", "pipe"], exits: [2], says: /it is a pipe/ },
  { name: "a link to its own folder", argv: ["check", "around"], exits: [0], says: /1 file: 1 passed/ },
  { name: "a directive that reads a device", argv: ["check", "reads.ptx", ...limits], exits: [1], says: /PTX7009/ },
  { name: "a directive whose file is a hole", alone: true, argv: ["check", "big.ptx", ...limits], exits: [1], says: /PTX6003: no room for hole\.ptx/ },
  { name: "a directive that allows itself more", argv: ["check", "more.ptx", ...limits], io: { now: looking(1000) }, exits: [1], says: /PTX6001|PTX6101/ },
  // What a launch allocates, and what is printed of it.
  { name: "a buffer that fills the device, shown", alone: true, argv: [...load, "-r", "a=u32x200000000", "--sanitize", "mem"], exits: [0], says: /a {2}u32x200000000 {2}0 0 0 0 0 0 0 0 \.\.\. \(199999992 more\)/ },
  { name: "a buffer that fills the device, dumped", alone: true, mebibytes: 700, argv: [...load, "-r", "a=u32x200000000", "--sanitize", "mem", "-d", "a"], exits: [6], says: /PTX6006: a has 200000000 elements, of which the first 1048576 are shown/ },
  { name: "more buffer than the limit", argv: [...load, "-r", "a=u32x20000000:fill=1", ...little], exits: [6], says: /PTX6003: no room for a, 80000000 bytes/ },
  { name: "a buffer that no device has", argv: [...load, "-r", "a=u32x99999999999"], exits: [2], says: /PTX2103: 399999999996 bytes are too many/ },
  { name: "local memory times threads", argv: ["local.ptx", "--block", "1024", "--grid", "2147483647", ...little], exits: [6], says: /PTX6002: k needs more memory than the limit of 67108864 bytes leaves: a block takes \d+ bytes[\s\S]*--max-mem/ },
  { name: "all threads of a huge grid, dumped", alone: true, mebibytes: 500, argv: ["local.ptx", "--grid", "2147483647", "--thread", "all", "-d", "regs", "--max-steps", "1K"], exits: [6], says: /PTX6006: 2147483647 threads, of which the first \d+ are shown/ },
  { name: "a variable beyond all", argv: ["variable.ptx"], exits: [6], says: /PTX6003: no room for x, 99999999999 bytes/ },
  { name: "400,000 instructions", alone: true, argv: ["long.ptx", ...little], exits: [6], says: /PTX6005: no room to load this[\s\S]*--max-mem \d+M allows it/ },
  { name: "400,000 instructions, linted", argv: ["lint", "long.ptx", ...little], exits: [6], says: /PTX6005/ },
  { name: "400,000 instructions, checked", argv: ["check", "long.ptx", ...limits], exits: [1], says: /PTX6005/ },
  { name: "an expectation as large as the device", alone: true, mebibytes: 250, argv: ["check", "expects.ptx", "--max-mem", "16M"], exits: [1], says: /1 passed, 1 failed/ },
  { name: "a program that prints without an end", alone: true, mebibytes: 300, argv: ["print.ptx", "--json", "--max-steps", "200", ...little], exits: [6], says: /what else was printed is not kept/ },
]; // biome-ignore format: a table

/** More mistakes than anybody reads: those that are left out are counted. */
function counted(): Hostile[] {
  const add = "add.u32 d, a, b;\n";
  const every = ["pretty", "json", "junit", "tap"];
  const values = `//@ case a: a=1 b=1 -> ${"d=3 ".repeat(130_000)}\n${add}`;
  const kinds: readonly (readonly [name: string, text: string, left: number, reporters: readonly string[]])[] = [
    ["expectations that cannot be read", `//@ case a: a=1 b=1 -> ${"= ".repeat(1000)}\n${add}`, 980, every],
    ["directives that nobody knows", `${"//@ nope: a\n".repeat(20_000)}${add}`, 19_980, every],
    ["marks without a code", `${"add.u32 d, a, b; //~ x\n".repeat(2000)}`, 1980, every],
  ];
  const pretty = ["check", "FILE", "--reporter", "pretty"];
  const fail: Hostile = {
    name: "expectations that fail, told by pretty",
    text: values,
    argv: pretty,
    exits: [1],
    says: /the first of 130000 values that differ\n.*and 129992 more\n/s,
  };
  const others = kinds.flatMap(([name, text, left, reporters]) =>
    reporters.map((reporter) => ({
      name: `${name}, told by ${reporter}`,
      text,
      argv: ["check", "FILE", "--reporter", reporter],
      exits: [1],
      // TAP tells the first problem alone.
      ...(reporter === "tap" ? {} : { says: new RegExp(`and ${left} more, the first of which is here: `) }),
    })),
  );
  return [fail, ...others];
}

/** Texts that are larger than a text may be, which is 1000 bytes here. */
function large(): Hostile[] {
  const ends: readonly (readonly [argv: readonly string[], exit: number, name: string])[] = [
    [["large.ptx"], 6, "large.ptx"],
    [["-"], 6, "standard input"],
    [["lint", "-"], 6, "standard input"],
    [["lint", "d"], 6, "a.ptx"],
    [["check", "d"], 1, "a.ptx"],
    [["repl"], 6, "standard input"],
    [["repl", "-x", "large.ptx"], 2, "large.ptx"],
    [["repl", "--command", "source large.ptx"], 2, "large.ptx"],
    [["repl", "--command", "load large.ptx"], 2, "large.ptx"],
    [["visa", "asm", "-"], 6, "standard input"],
  ];
  return ends.map(([argv, exit, name]) => ({
    name: `too large: ${argv.join(" ")}`,
    argv,
    exits: [exit],
    says: new RegExp(`PTX6004: .*${name} has more than 1000 bytes`),
    io: { stdin: "print 1\n".repeat(200), mostText: 1000 },
  }));
}

const isLinux = process.platform === "linux";
export const inputs = (): readonly Hostile[] => [...(isLinux ? attacks : []), ...counted(), ...large()];

/** What the folder holds in which these run. */
export function place(world: World): void {
  world.write("large.ptx", "mov.u32 a, 1;\n".repeat(100)).write("d/a.ptx", "// a\n".repeat(300));
  if (!isLinux) return;
  const { folder } = world;
  const add = "//@ case one: a=1 b=1 -> d=2\nadd.u32 d, a, b;\n";
  world.write("secret.txt", "password of root\n").write("k.ptx", KERNEL);
  for (const each of ["tree", "zero", "leak", "side", "pipe", "around"]) mkdirSync(join(folder, each));
  world.write("side/s.ptx", add).write("around/a.ptx", add);
  const links = { "zero.npy": "/dev/zero", "circle.ptx": "circle.ptx", "zero/z.ptx": "/dev/zero", "leak/s.ptx": "../secret.txt", "side/s.ptxcheck.json": "../secret.txt", "around/again": "." }; // biome-ignore format: a table
  for (const [from, to] of Object.entries(links)) symlinkSync(to, join(folder, from));
  spawnSync("mkfifo", [join(folder, "pipe/f.ptx")]);
  spawnSync("truncate", ["-s", "1T", join(folder, "hole.ptx")]);
  world.write("reads.ptx", "//@ case a: a=@/dev/zero -> d=0\nld.global.u32 d, [a];\n");
  world.write("big.ptx", "//@ case a: a=@hole.ptx -> d=0\nld.global.u32 d, [a];\n");
  world.write(
    "more.ptx",
    "//@ args: --timeout 99999m --max-steps 999G\n//@ case a: a=1 -> d=0\nL: add.u32 d, a, 1;\nbra L;\n",
  );
  const local = ".reg .b64 a; .local .b8 l[500000]; mov.u64 a, l; ret;";
  world.write("local.ptx", KERNEL.replace("ret;", local).replace(".param .u64 p", ""));
  world.write("variable.ptx", KERNEL.replace("g[64]", "x[99999999999]"));
  const body = `.reg .u32 a;\n${"add.u32 a, a, 1;\n".repeat(400_000)}ret;`;
  world.write("long.ptx", `//@ case a: p=1 -> g=0\n${KERNEL.replace("ret;", body)}`);
  const filled = "a=u8x15000000:fill=1";
  const cases = `//@ case a: ${filled} -> ${filled}\n//@ case b: ${filled} -> ${filled.replace("=1", "=2")}\n`;
  world.write("expects.ptx", `${cases}ld.global.u32 d, [a];\n`);
  world.write("print.ptx", PRINTING);
}

const KERNEL = `.version 8.0
.target sm_80
.address_size 64
.global .b8 g[64];
.visible .entry k(.param .u64 p) { ret; }
`;

/** Prints a number behind 899,999 blanks, again and again. */
const PRINTING = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 8 .b8 text[9] = {37, 57, 48, 48, 48, 48, 48, 100, 0};
.entry k() { .reg .b64 a;
  cvta.global.u64 a, text;
L: { .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], a; st.param.b64 [v], a; call.uni (r), vprintf, (f, v); }
  bra L; }`;
