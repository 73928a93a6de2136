import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { commands } from "../../../src/cli/app.ts";
import { launchCommand } from "../../../src/cli/run/options.ts";
import { type CommandShape, shapeOf } from "../../../src/cli/tree.ts";
import type { CommandIo } from "../../../src/system/command-io.ts";
import { sample } from "../../share.ts";
import { looking, type Outcome, silent, twice, World } from "./world.ts";

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";
const deep = `${header}.func f(.reg .b32 n) { .reg .pred p; setp.eq.u32 p, n, 0; @p ret; sub.u32 n, n, 1; call f, (n); ret; }
.entry k() { .reg .b32 n; mov.b32 n, 400; call f, (n); ret; }\n`;
const wide = `.version 3.8
.kernel "k"
.decl V v_type=G type=d num_elts=16 align=GRF
    mov (M1, 1) V(1,0)<1> 1:d
    ret (M1, 1)
`;
const BF = '.version 3.8\n.kernel "k"\n.decl B v_type=G type=bf num_elts=8\n    ret (M1, 1)\n';
const world = new World()
  .write("twice.ptx", twice)
  .write("two.ptx", twice.replace("}\n", "}\n.visible .entry other() { ret; }\n"))
  .write("called.ptx", `// PTXRUN: 0=f32x1:1 1=f32x1 2=1 -> 1=2.0\n${twice}`)
  .write("deep.ptx", deep)
  .write("bf.visaasm", BF)
  .write("reads.ptx", `${header}.global .b32 v = 7;\n.entry k() { .reg .b32 a; ld.global.u32 a, [v]; ret; }\n`)
  .write("puts.ptx", `${header}.global .b32 v = 7;\n.entry k() { st.global.u32 [v], 5; ret; }\n`)
  .write("long.ptx", "add.u32 a, a, 1;\n".repeat(2000))
  .write("wide.visaasm", wide)
  .write("half.ptx", "add.f16 d, a, b;\n")
  .write("pairs", "half.ptx half.ptx\n")
  .write("one.ptx", "mov.f32 d, 0f3F800000;\n")
  .write("next.ptx", "mov.f32 d, 0f3F800001;\n")
  .write("many", "half.ptx half.ptx\nhalf.ptx half.ptx\n")
  .write("commands", "print 6 * 7\n")
  .write("one/one.ptx", "//@ case it: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n")
  .write("wrong/a.ptx", "//@ case it: a=1 -> d=0\nnot.b32 d, a;\n")
  .write("wrong/b.ptx", "//@ case it: a=1 -> d=0\nnot.b32 d, a;\n")
  .write("far.bin", new Uint8Array(4))
  .write("far/far.ptx", "//@ case it: p=@../far.bin -> d=0\nld.global.u32 d, [p];\n")
  .write("links/own.ptx", "not.b32 d, a;\n")
  // What `exec` looks for, and nothing that a loader would take.
  .write("native/libptxrun.so", "")
  .write("native/libptxrun.dylib", "");
symlinkSync("../half.ptx", join(world.folder, "links/link.ptx"));
afterAll(() => world.remove());

// A campaign that is done.
const jobs = [{ sweep: ["add.f16", "--count", "10"], parts: 2 }];
world.write("plan.json", JSON.stringify({ schema: "ptxrun.campaign/1", name: "few", jobs }));
await world.ptxrun(["campaign", "run", "plan.json", "-o", "done"]);

// An object whose variable has a name that text cannot spell, of which a note tells.
await world.ptxrun(["visa", "asm", "bf.visaasm", "-o", "bf.isa"]);
const object = readFileSync(join(world.folder, "bf.isa"));
object[object.indexOf("\0B\0", 0, "latin1") + 1] = 0x2b;
world.write("odd.isa", object);

/** A command line, and words with an option that change what comes of it. */
interface Row {
  readonly argv: readonly string[];
  readonly option: readonly string[];
  /** Made anew for each of the two runs. */
  readonly io?: () => Partial<CommandIo> & { readonly stdin?: string };
  /** The option is refused here. */
  readonly refused?: true;
  /** What else the option may change. */
  readonly seen?: () => unknown;
}
type Rows = Readonly<Record<string, Row>>;

const row = (argv: readonly string[], option: readonly string[], more: Omit<Row, "argv" | "option"> = {}): Row => ({
  argv,
  option,
  ...more,
});
const snippet = (text: string, ...more: string[]): readonly string[] => ["-e", text, "-q", ...more];

let heard = "";
/** An editor that opens a text and goes once it was told what is wrong with it; what it is told. */
const editing = (name: string, text: string): Omit<Row, "argv" | "option"> => ({
  io: () => {
    const input = new PassThrough();
    const output = new PassThrough();
    heard = "";
    output.on("data", (piece: Buffer) => {
      heard += piece.toString();
      if (heard.includes("publishDiagnostics")) input.end();
    });
    const say = (message: object): void => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      input.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    };
    const textDocument = { uri: `file:///${name}`, languageId: "ptx", version: 1, text };
    say({ id: 1, method: "initialize", params: { capabilities: {} } });
    say({ method: "textDocument/didOpen", params: { textDocument } });
    return { streams: () => ({ input, output }) };
  },
  seen: () => heard,
});

/** An agent that calls one tool; what it is answered. */
const calling = (name: string, input: object, more: Partial<CommandIo> = {}): Omit<Row, "argv" | "option"> => ({
  io: () => {
    const [requests, output] = [new PassThrough(), new PassThrough()];
    heard = "";
    output.on("data", (piece: Buffer) => {
      heard += piece.toString();
    });
    const params = { name, arguments: input };
    requests.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    return { ...more, streams: () => ({ input: requests, output }) };
  },
  seen: () => heard,
});

/** Somebody who ends a server as soon as it has begun. */
const stopsSoon = (): Partial<CommandIo> => ({
  onSignal: (act) => {
    const timer = setTimeout(() => act("SIGTERM"), 100);
    return () => clearTimeout(timer);
  },
});

const late = () => ({ now: looking(1000) });
const atTerminal = (): Partial<CommandIo> => ({
  ...late(),
  env: { TERM: "xterm" },
  terminal: { out: false, err: true },
});
/** A program that shows what `exec` tells the libraries. */
const told = (option: readonly string[]): Row =>
  row(["sh", "-c", "env | grep ^PTXRUN_ | grep -v ^PTXRUN_FOUND= | sort > told"], option, {
    io: () => ({ env: { PTXRUN_NATIVE: join(world.folder, "native") } }),
    seen: () => readFileSync(join(world.folder, "told"), "utf8"),
  });
/** A file of findings, beside what is printed. */
const reporting = (argv: readonly string[], file: string): Row =>
  row(argv, ["--reporter", `sarif=${file}`], { seen: () => existsSync(join(world.folder, file)) });
/** What cannot print shows a bug. */
const broken = (): Partial<CommandIo> => ({
  out: () => {
    throw new Error("broken");
  },
});

const add = ["-e", "add.u32 d, a, b;"];
const swept = ["add.f32", "--against", "sub", "--count", "100"];
// A compiler that tells its version: C++ has no name for the types of what these seeds draw, so it is asked for nothing else.
world.write("bin/nvcc", "#!/bin/sh\necho 'release 13.0, V13.0.1'\n");
chmodSync(join(world.folder, "bin/nvcc"), 0o755);
const hunted = ["--with", "bin/nvcc:O0", "--programs", "1", "--seeds", "6..6"];
// Sixteen products of 2^-25: cut to nothing at 24 bits below the 1 of C, and 2^-21 at 25.
const tiny = ["-r", "a=0x39803980", "-r", "b=0x39003900", "-r", "c=0x3f800000"];
const matrices = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
const multiplied = snippet(`${matrices} {d, e, f, g}, {a, a, a, a}, {b, b}, {c, c, c, c};`, "--block", "32", ...tiny);
const last = snippet("mov.u32 t, %tid.x; st.global.u32 [p], t;", "-r", "p=u32x1", "--block", "256");
// What is read before the wait depends on when the copy happens.
const asking = snippet(
  ".shared .b32 s; st.shared.b32 [s], 1; cp.async.ca.shared.global [s], [p], 4; ld.shared.u32 d, [s]; st.global.u32 [p+4], d; cp.async.wait_all;",
  "-r",
  "p=u32x2:7,7",
);
const three = "mov.u32 a, 1; mov.u32 b, 2; mov.u32 c, 3;";

/** The options that say how to launch, in a line of a file too. */
const launching: Rows = {
  "--entry": row(["two.ptx"], ["--entry", "other"]),
  "--grid": row(snippet("mov.u32 d, %nctaid.x;"), ["--grid", "2"]),
  "--block": row(snippet("mov.u32 d, %ntid.x;"), ["--block", "2"]),
  "--cluster": row(snippet("mov.u32 d, %cluster_nctarank;", "--grid", "2"), ["--cluster", "2"]),
  "--stack": row(["deep.ptx"], ["--stack", "1K"]),
  "--smem": row(snippet("mov.u32 d, %dynamic_smem_size;"), ["--smem", "48K"]),
  "--cooperative": row(snippet("mov.b32 d, %envreg2;"), ["--cooperative"]),
  "--schedule": row([...last, "-d", "p"], ["--schedule", "random:2"]),
  "--async": row([...asking, "-d", "p"], ["--async", "early"]),
  "--seeds": row([...last, "-d", "p"], ["--seeds", "1..3"]),
  "--target": row(["half.ptx"], ["--target", "sm_20"]),
  "--arch": row(multiplied, ["--arch", "sm_80"]),
  "--ptx": row(["half.ptx"], ["--ptx", "3.0"]),
  "--platform": row(["bf.visaasm"], ["--platform", "TGLLP"]),
  "--grf": row(["wide.visaasm"], ["--grf", "64"]),
  "--thread": row(snippet("mov.u32 d, %tid.x;", "--block", "2"), ["--thread", "0/1"]),
  "--sanitize": row(snippet("ld.global.u32 d, [p];", "-r", "p=u32x1"), ["--sanitize", "none"]),
  "--max-steps": row(snippet(three), ["--max-steps", "1"]),
  "--memory": row(["twice.ptx"], ["--memory", "twice.ptx"]),
  "--seed": row([...last, "-d", "p"], ["--seed", "1"], { refused: true }),
  "--max-mem": row(["twice.ptx", "-a", "x=f32x100000"], ["--max-mem", "64K"]),
  "--timeout": row(snippet(`${three.repeat(40)}`), ["--timeout", "500ms"], { io: late }),
};

/** What is run with which values, and what every command prints. */
const running: Rows = {
  ...launching,
  "--eval": row([], add),
  "--reg": row(add, ["-r", "a=1"]),
  "--arg": row(["twice.ptx"], ["-a", "n=4"]),
  "--zeinfo": row(["bf.visaasm"], ["--zeinfo", "half.ptx"]),
  "--global": row(["reads.ptx"], ["-g", "v=9"]),
  "--color": row(add, ["--color", "always"]),
  "--quiet": row(add, ["-q"]),
  "--verbose": row(add, ["-v"]),
};

const finish = ["--command", "continue", "--command", "dump"];
const inRepl = (rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([name, each]) => [name, { ...each, argv: [...each.argv, ...finish] }]));
/** A trace shows no values of the end, so each of these shows a value as it is read. */
const withoutDump = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([name, each]) => {
      const at = each.argv.indexOf("-d");
      return [name, at < 0 ? each : { ...each, argv: each.argv.toSpliced(at, 2) }];
    }),
  );
/** Each text in a file, and another beside it with another result: what differs, as JSON, shows the values of both. */
const comparing = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { argv, ...each }], at) => {
      const place = argv.indexOf("-e");
      const text = argv[place + 1] ?? "";
      const other = /(?:\[p\]|\[p\+4\]), [td]\b/.test(text)
        ? text.replace(/(\[p\]|\[p\+4\]), [td]\b/, "$1, 99")
        : `${text} mov.b32 d, 99;`;
      if (place >= 0) world.write(`diff/${at}a.ptx`, text).write(`diff/${at}b.ptx`, other);
      const [file = "twice.ptx", ...more] = place < 0 ? argv : argv.toSpliced(place, 2);
      const files =
        place < 0 ? [file, file === "reads.ptx" ? "puts.ptx" : file] : [`diff/${at}a.ptx`, `diff/${at}b.ptx`];
      const words = place < 0 ? more : [file, ...more].filter((word) => word !== "twice.ptx");
      return [name, { ...each, argv: [...files, ...words, "--json"] }];
    }),
  );
const refused = (option: readonly string[]): Row => row(add, option, { refused: true });

const history = join(world.folder, "history");
const typing = (): Partial<CommandIo> => {
  const input = new PassThrough();
  rmSync(history, { force: true });
  input.write("print 1\rquit\r");
  const conversation = { input, output: new PassThrough().resume(), poll: () => "" };
  return { env: { TERM: "dumb", PTXRUN_HISTORY: history }, terminal: { out: true, err: true, conversation } };
};

const bug = (argv: readonly string[]): Row => row(argv, ["-v"], { io: broken });

world
  .write(
    "sb.litmus",
    "PTX sb { }\nP0 | P1 ;\nst.weak x, 1 | st.weak y, 1 ;\nld.weak r, y | ld.weak r, x ;\n~exists (P0:r == 0)",
  )
  .write(
    "lb-atomic.litmus",
    "PTX lb-atomic\n{ x = 0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\natom.relaxed.gpu.add r0, x, 1 | ld.relaxed.gpu r0, x ;\n | st.weak x, 5 ;\n~exists (P0:r0 == 5 /\\ P1:r0 == 6)\n",
  )
  .write(
    "spin.litmus",
    "PTX spin { }\nP0 | P1 ;\nL: | st.relaxed x, 1 ;\nld.relaxed r, x | ;\nbeq r, 0, L | ;\nforall (P0:r == 1)",
  );

/** Two kernels whose threads share a variable of the module, and dynamic shared memory. */
const sharing = ["--from", "sharing.ptx", "--entry", "k", "--grid", "2"];
world.write(
  "sharing.ptx",
  `.version 8.0
.target sm_90
.address_size 64
.global .u32 g;
.extern .shared .align 4 .b32 d[];
.visible .entry k(.param .u32 n) {
  .reg .u32 %r<3>; .reg .pred %q;
  ld.param.u32 %r2, [n];
  mov.u32 %r0, %ctaid.x;
  setp.eq.u32 %q, %r0, 0;
  ld.global.u32 %r1, [g];
  @%q st.global.u32 [g], %r2;
  ret;
}
.visible .entry dynamic() {
  .reg .u32 %r<3>; .reg .pred %q;
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %q, %r0, 0;
  @%q st.shared.u32 [d], %r0;
  ld.shared.u32 %r1, [d];
  ret;
}
`,
);

/** A program that fails at a line of another, which lies in a folder of its own. */
const compiled = ["compiled.ptx"];
world
  .write("compiled.ptx", `.version 8.0\n.target sm_80\n.entry k() {\n.loc 1 1 1\ntrap; }\n.file 1 "k.cu"\n`)
  .write("origin/k.cu", "__trap();\n");

world.write("noted.ptx", ".version 8.0\n.target\u00a0sm_80\n.entry noted() { ret; }\n");

const table: Readonly<Record<string, Rows>> = {
  run: {
    ...running,
    "--as": row(["twice.ptx", "-d", "calls"], ["--as", "u8x2x2"]),
    "--source-dir": row(compiled, ["--source-dir", "origin"]),
    "--dump": row(["twice.ptx"], ["-d", "calls"]),
    "--stats": row(add, ["--stats"]),
    "--precision": row(add, ["--precision"]),
    "--format": row(add, ["--format", "json"]),
    "--json": row(add, ["--json"]),
    "--output": row(add, ["-o", "result"]),
    "--report": row(add, ["--report", "page.html"], { seen: () => existsSync(join(world.folder, "page.html")) }),
    "--interactive": row(add, ["-i"]),
    "--list": row(["two.ptx"], ["--list"]),
    "--jobs": row([...add, "-v", "--jobs", "2"], ["--jobs", "1"], {
      io: () => ({ poolWorker: join(world.folder, "nowhere.cjs") }),
    }),
    // Results are the same; who asks is told.
    "--executor": row([...add, "-v"], ["--executor", "wasm"]),
    "--why": row(add, ["--why", "d"]),
    "--cache": row(add, ["--cache", "kept-runs"], { seen: () => existsSync(join(world.folder, "kept-runs")) }),
  },
  repl: {
    ...inRepl(running),
    "--verbose": bug([...add, ...finish]),
    "--as": row(["twice.ptx", "-d", "calls", ...finish], ["--as", "u8x2x2"]),
    "--source-dir": row([...compiled, ...finish], ["--source-dir", "origin"]),
    "--dump": row(["twice.ptx", ...finish], ["-d", "calls"]),
    "--seeds": refused(["--seeds", "1..3"]),
    "--format": refused(["--format", "json"]),
    "--json": refused(["--json"]),
    "--output": refused(["-o", "result"]),
    "--execute": row(add, ["-x", "commands"]),
    "--command": row(add, ["--command", "print 6 * 7"]),
    "--no-history": row(add, ["--no-history"], { io: typing, seen: () => existsSync(history) }),
  },
  check: {
    "--color": row(["one"], ["--color", "always"]),
    "--quiet": row(["one"], ["-q"], { io: atTerminal }),
    "--verbose": bug(["one"]),
    "--allow-read": row(["far"], ["--allow-read", "."]),
    "--filter": row(["one"], ["--filter", "other"]),
    "--bail": row(["wrong"], ["--bail"]),
    "--update": row(["wrong"], ["--update"]),
    "--reporter": row(["one"], ["--reporter", "tap"]),
    "--watch": row(["one"], ["--watch"], { io: () => ({ env: { CI: "1" } }), refused: true }),
    "--shard": row(["links"], ["--shard", "1/2"]),
    "--cache": row(["one"], ["--cache", "kept-checks"], { seen: () => existsSync(join(world.folder, "kept-checks")) }),
    "--jobs": row(["links"], ["--jobs", "2"], { io: () => ({ checkWorker: join(world.folder, "nowhere.cjs") }) }),
    "--max-steps": row(["one"], ["--max-steps", "1"]),
    "--max-mem": row(["far", "--allow-read", "."], ["--max-mem", "1"]),
    "--timeout": row(["one"], ["--timeout", "500ms"], { io: late }),
  },
  diff: {
    "--reporter": reporting(["half.ptx", "half.ptx"], "diff.sarif"),
    ...comparing(running),
    "--shard": row(["--batch", "many"], ["--shard", "1/2"]),
    "--eval": row(["half.ptx", "half.ptx"], ["-e", "ret;"], { refused: true }),
    "--seeds": row(["half.ptx", "half.ptx"], ["--seeds", "1..2"], { refused: true }),
    "--seed": row(["half.ptx", "half.ptx"], ["--seed", "1"], { refused: true }),
    "--as": row(["half.ptx", "half.ptx"], ["--as", "u8"], { refused: true }),
    "--verbose": bug(["half.ptx", "half.ptx"]),
    "--quiet": row(["half.ptx", "half.ptx"], ["-q"]),
    "--color": row(["half.ptx", "half.ptx"], ["--color", "always"]),
    "--dump": row(["half.ptx", "half.ptx", "-q"], ["-d", "d"]),
    "--format": row(["half.ptx", "half.ptx"], ["--format", "json"]),
    "--json": row(["half.ptx", "half.ptx"], ["--json"]),
    "--output": row(["half.ptx", "half.ptx"], ["-o", "result"]),
    "--batch": row([], ["--batch", "pairs"]),
    "--outputs-only": row(["one.ptx", "next.ptx"], ["--outputs-only"]),
    "--random": row(["twice.ptx", "twice.ptx"], ["--random", "2"]),
    "--tolerance": row(["one.ptx", "next.ptx"], ["--tolerance", "1ulp"]),
    "--jobs": row(["--batch", "many"], ["--jobs", "2"], {
      io: () => ({ checkWorker: join(world.folder, "nowhere.cjs") }),
    }),
    "--cache": row(["half.ptx", "half.ptx"], ["--cache", "kept-pairs"], {
      seen: () => existsSync(join(world.folder, "kept-pairs")),
    }),
  },
  exec: {
    "--color": row(["nowhere"], ["--color", "always"]),
    // It prints nothing of its own that could fail.
    "--verbose": row(["nowhere"], ["-v"], {
      io: () => ({
        env: {
          get PTXRUN_NATIVE(): string {
            throw new Error("broken");
          },
        },
      }),
    }),
    "--target": told(["--target", "sm_80"]),
    "--sanitize": told(["--sanitize", "race"]),
    "--executor": told(["--executor", "js"]),
    "--max-mem": told(["--max-mem", "1M"]),
    "--timeout": told(["--timeout", "500ms"]),
    "--on-error": told(["--on-error", "continue"]),
    "--only-announced": told(["--only-announced"]),
    "--error-exitcode": row(["sh", "-c", ': > "$PTXRUN_FOUND"'], ["--error-exitcode", "9"], {
      io: () => ({ env: { PTXRUN_NATIVE: join(world.folder, "native") } }),
    }),
    "--stats": told(["--stats"]),
    "--trace": told(["--trace"]),
    "--output": told(["-o", "log"]),
    "--record": told(["--record", "kept"]),
    "--reporter": told(["--reporter", "sarif=exec.sarif"]),
  },
  trace: {
    ...withoutDump(running),
    "--color": row(["nowhere.ptx"], ["--color", "always"]),
    "--thread": row(snippet("mov.u32 d, %tid.x;", "--block", "2"), ["--thread", "0/1"]),
    "--seeds": refused(["--seeds", "1..3"]),
    "--opcode": row(snippet(`${three} add.u32 d, a, b;`), ["--opcode", "add"]),
    "--format": row(snippet(three), ["--format", "text"]),
    "--label": row(snippet(`${three} L: add.u32 d, a, b;`), ["--label", "L"]),
    "--limit": row(snippet(three), ["--limit", "1"]),
    "--text": row(snippet(three), ["--text"]),
    "--source-dir": row([...compiled, "--text"], ["--source-dir", "origin"]),
    "--output": row(add, ["-o", "result"]),
  },
  link: {
    "--color": row(["nowhere"], ["--color", "always"]),
    "--quiet": row(["noted.ptx", "two.ptx"], ["-q"]),
    "--verbose": bug(["two.ptx"]),
    "--output": row(["two.ptx"], ["-o", "linked.ptx"]),
    "--target": row([join(import.meta.dirname, "../host/container/ptx.o")], ["--target", "sm_80"]),
  },
  doctor: {
    "--self": row([], ["--self"]),
    "--color": row(["nowhere"], ["--color", "always"]),
    "--quiet": row(["twice.ptx"], ["-q"]),
    "--verbose": bug(["twice.ptx"]),
    "--entry": row(["two.ptx"], ["--entry", "other"]),
    "--grid": row(["twice.ptx"], ["--grid", "3"]),
    "--block": row(["twice.ptx"], ["--block", "96"]),
    "--arg": row(["twice.ptx"], ["-a", "n=3"]),
    "--global": row(["reads.ptx"], ["-g", "w=1"]),
    "--smem": row(["twice.ptx"], ["--smem", "1K"]),
    "--cooperative": row(["twice.ptx"], ["--cooperative"]),
    "--max-mem": row(["twice.ptx"], ["--max-mem", "1"]),
    "--format": row(["twice.ptx"], ["--format", "json"]),
    "--json": row(["twice.ptx"], ["--json"]),
  },
  ce: {
    "--color": row(["twice.ptx"], ["--color", "always"]),
    "--verbose": bug(["twice.ptx"]),
    "--entry": row(["two.ptx"], ["--entry", "other"]),
    "--grid": row(["twice.ptx"], ["--grid", "3"]),
    "--block": row(["twice.ptx"], ["--block", "96"]),
    "--arg": row(["twice.ptx"], ["-a", "n=3"]),
    "--global": row(["reads.ptx"], ["-g", "w=1"]),
    "--smem": row(["twice.ptx"], ["--smem", "1K"]),
    "--cooperative": row(["twice.ptx"], ["--cooperative"]),
    "--max-mem": row(["twice.ptx"], ["--max-mem", "1"]),
    "--max-steps": row(["twice.ptx"], ["--max-steps", "3"]),
    "--timeout": row(["twice.ptx"], ["--timeout", "1ms"], { io: () => ({ now: looking(1) }) }),
    "--source": row(["-"], ["--source", "k.cu"], {
      io: () => ({ stdin: ".version 8.0\n.target sm_80\n.entry k() { nop; }" }),
    }),
  },
  lit: {
    "--color": row(["nowhere"], ["--color", "always"]),
    "--quiet": row(["called.ptx", "called.ptx"], ["-q"]),
    "--verbose": bug(["called.ptx", "called.ptx"]),
    "--format": row(["called.ptx", "called.ptx"], ["--format", "json"]),
    "--json": row(["called.ptx", "called.ptx"], ["--json"]),
    "--mark": row(["called.ptx", "called.ptx"], ["--mark", "CHECK:"]),
  },
  lint: {
    "--reporter": reporting(["half.ptx"], "lint.sarif"),
    "--color": row(["nowhere"], ["--color", "always"]),
    "--quiet": row(["half.ptx"], ["-q"]),
    "--verbose": bug(["half.ptx"]),
    "--allow-read": row(["links"], ["--allow-read", "."]),
    "--max-mem": row(["long.ptx"], ["--max-mem", "1"]),
    "--timeout": row(["twice.ptx"], ["--timeout", "500ms"], { io: late }),
    "--target": row(["half.ptx"], ["--target", "sm_20"]),
    "--ptx": row(["half.ptx"], ["--ptx", "3.0"]),
    "--platform": row(["bf.visaasm"], ["--platform", "TGLLP"]),
    "--format": row(["half.ptx"], ["--format", "json"]),
    "--json": row(["half.ptx"], ["--json"]),
  },
  isa: {
    "--color": row(["add"], ["--color", "always"]),
    "--verbose": bug(["add"]),
    "--format": row(["add"], ["--format", "json"]),
    "--json": row(["add"], ["--json"]),
    "--md": row(["add"], ["--md"]),
    "--coverage": row(["add"], ["--coverage"]),
  },
  explain: {
    "--color": row(["PTX2003"], ["--color", "always"]),
    "--quiet": row(["add.u32", "a=1"], ["-q"]),
    "--verbose": bug(["PTX2003"]),
    "--as": row(["0x3c00"], ["--as", "bf16"]),
    "--arch": row([matrices, "a=1"], ["--arch", "sm_80"]),
    "--rnd": row(["add.f32", "a=1", "b=2"], ["--rnd", "all"]),
    "--format": row(["add.f32", "a=1", "b=2"], ["--format", "json"]),
    "--json": row(["add.f32", "a=1", "b=2"], ["--json"]),
  },
  sweep: {
    "--color": row(swept, ["--color", "always"]),
    "--quiet": row(swept, ["-q"]),
    "--verbose": bug(swept),
    "--against": row(["add.f32", "--count", "100"], ["--against", "sub"]),
    "--count": row(["add.f32", "--against", "sub", "--count", "100"], ["--count", "200"]),
    "--all": row(["fma.rn.f64"], ["--all"], { refused: true }),
    "--seed": row(swept, ["--seed", "1"]),
    "--shard": row(swept, ["--shard", "1/2"]),
    "--examples": row(swept, ["--examples", "1"]),
    "--format": row(swept, ["--format", "json"]),
    "--json": row(swept, ["--json"]),
  },
  campaign: {
    "--color": row(["merge", "done"], ["--color", "always"]),
    "--quiet": row(["run", "plan.json"], ["-q"]),
    "--verbose": bug(["run", "plan.json"]),
    "--shard": row(["run", "plan.json"], ["--shard", "2/2"]),
    "--output": row(["run", "plan.json"], ["-o", "elsewhere"]),
    "--reporter": row(["merge", "done"], ["--reporter", "json"]),
    "--shards": row(["plan", "plan.json", "--slurm"], ["--shards", "1"]),
    "--slurm": row(["plan", "plan.json"], ["--slurm"]),
    "--kubernetes": row(["plan", "plan.json"], ["--kubernetes"]),
    "--github": row(["plan", "plan.json"], ["--github"]),
    "--parallel": row(["plan", "plan.json"], ["--parallel"]),
  },
  hunt: {
    "--color": row(["--with", "llc-nowhere:O0"], ["--color", "always"]),
    "--quiet": row(hunted, ["-q"]),
    "--verbose": bug(hunted),
    "--with": row(hunted, ["--with", "bin/nvcc:O3"]),
    "--seeds": row(hunted, ["--seeds", "6..7"]),
    "--programs": row(hunted, ["--programs", "2"]),
    "--target": row(hunted, ["--target", "80"], { refused: true }),
    "--output": row(hunted, ["-o", "found"], { seen: () => existsSync(join(world.folder, "found")) }),
    "--format": row(hunted, ["--format", "json"]),
    "--json": row(hunted, ["--json"]),
  },
  litmus: {
    "--color": row(["sb.litmus"], ["--color", "always"]),
    "--quiet": row(["sb.litmus"], ["-q"]),
    "--verbose": bug(["sb.litmus"]),
    "--executions": row(["sb.litmus"], ["--executions"]),
    "--why": row(["sb.litmus"], ["--why"]),
    "--svg": row(["sb.litmus"], ["--svg", "drawn.svg"], { seen: () => existsSync(join(world.folder, "drawn.svg")) }),
    "--bound": row(["spin.litmus"], ["--bound", "2"]),
    "--model": row(["lb-atomic.litmus"], ["--model", "split-atomics"]),
    "--max-executions": row(["lb-atomic.litmus"], ["--max-executions", "1"]),
    "--timeout": row(["sb.litmus"], ["--timeout", "500ms"], { io: late }),
    "--format": row(["sb.litmus"], ["--format", "json"]),
    "--json": row(["sb.litmus"], ["--json"]),
    "--from": row([], ["--from", "sharing.ptx", "--entry", "k", "--grid", "2"]),
    "--entry": row(["--from", "sharing.ptx", "--block", "2", "--smem", "4"], ["--entry", "dynamic"]),
    "--grid": row(sharing, ["--grid", "3"]),
    "--block": row(sharing, ["--block", "2"]),
    "--cluster": row(sharing, ["--cluster", "2"]),
    "--smem": row(["--from", "sharing.ptx", "--entry", "dynamic", "--block", "2"], ["--smem", "4"]),
    "--arg": row(sharing, ["-a", "n=5"]),
    "--global": row(sharing, ["-g", "g=7"]),
  },
  lsp: {
    "--stdio": row([], ["--stdio"], editing("half.ptx", "add.f16 d, a, b;")),
    "--target": row(["--stdio"], ["--target", "sm_10"], editing("half.ptx", "add.f16 d, a, b;")),
    "--ptx": row(["--stdio"], ["--ptx", "3.0"], editing("half.ptx", "add.f16 d, a, b;")),
    "--platform": row(["--stdio"], ["--platform", "SKL"], editing("bf.visaasm", BF)),
  },
  mcp: {
    "--allow-read": row([], ["--allow-read", "."], calling("lint", { file: "half.ptx" })),
    "--timeout": row([], ["--timeout", "1ms"], calling("run", { text: three.repeat(40) }, { now: looking(50) })),
    "--max-steps": row([], ["--max-steps", "1"], calling("run", { text: three })),
    "--max-mem": row([], ["--max-mem", "64K"], calling("run", { text: twice, arg: ["x=f32x100000"] })),
  },
  dap: {
    "--socket": row([], ["--socket", "adapter"], { io: stopsSoon }),
  },
  visa: {
    "--color": row(["asm", "nowhere"], ["--color", "always"]),
    "--quiet": row(["disasm", "odd.isa"], ["-q"]),
    "--verbose": bug(["asm", "bf.visaasm"]),
    "--output": row(["asm", "bf.visaasm"], ["-o", "result"]),
    "--version": row(["asm", "bf.visaasm"], ["--version", "3.6"]),
  },
  completion: {},
  "kernels-for": {},
  help: {},
  man: {},
};

const program = commands({ ...silent, cwd: world.folder }, [], () => {});
const names = ({ options }: CommandShape): readonly string[] =>
  options.map(({ short, long }) => long ?? short ?? "").filter((name) => name !== "--help");
const walked = (program.commands as readonly Command[]).map(shapeOf);

/** What comes of a command line without an option, and of one with it. */
async function bothOf(command: string, { argv, option, io, seen }: Row) {
  const run = async (words: readonly string[]): Promise<Outcome & { readonly seen: unknown }> => {
    const outcome = await world.ptxrun(words, io?.());
    return { ...outcome, seen: seen?.() };
  };
  // What stands behind the program's name is the program's own.
  const words = command === "exec" ? [...option, ...argv] : [...argv, ...option];
  return [await run([command, ...argv]), await run([command, ...words])] as const;
}

describe("every option of every command", () => {
  it("is in the table, and nothing else is", () => {
    expect(Object.keys(table)).toEqual(expect.arrayContaining(walked.map(({ name }) => name)));
    for (const shape of walked)
      expect([shape.name, ...Object.keys(table[shape.name] ?? {}).sort()]).toEqual([
        shape.name,
        ...names(shape).toSorted(),
      ]);
  });

  const rows = Object.entries(table).flatMap(([command, options]) =>
    Object.entries(options).map(([name, each]) => [command, name, each] as const),
  );
  it.each(sample(rows, 6))("%s %s changes what comes of a run, or is refused", async (command, _, each) => {
    const [without, changed] = await bothOf(command, each);
    expect(changed).not.toEqual(without);
    if (each.refused) expect([changed.exit, changed.err]).toEqual([2, expect.stringContaining("PTX2003")]);
    else expect(changed.err).not.toMatch(/PTX200[13]/);
  });
});

describe("every option of a line //@ args:", () => {
  it("is one that the table of launches has", () => {
    expect(Object.keys(launching).sort()).toEqual([...names(shapeOf(launchCommand()))].toSorted());
  });

  it("limits the time of a case", async () => {
    const text = (args: string) => `//@ args: ${args}\n//@ case it: -> c=3\n${three.repeat(40)}\n`;
    world.write("timed/a.ptx", text("--timeout 500ms"));
    expect((await world.ptxrun(["check", "timed"], { now: looking(0) })).exit).toBe(0);
    const { exit, out } = await world.ptxrun(["check", "timed"], late());
    expect([exit, out]).toEqual([1, expect.stringContaining("PTX6101")]);
  });
});

describe("an option that has no meaning beside the others, or for a program, is refused", () => {
  it.each([
    [[...add, "--entry", "k"], "--entry names a kernel, and -e is a snippet"],
    [["repl", ...add, "--entry", "k"], "--entry names a kernel, and -e is a snippet"],
    [["trace", ...add, "--grf", "64"], "--grf is for vISA, and -e is PTX"],
    [["twice.ptx", "--platform", "PVC"], "--platform is for vISA, and twice.ptx is PTX"],
    [["twice.ptx", "--entry", "?", "--platform", "PVC"], "--platform is for vISA, and twice.ptx is PTX"],
    [["bf.visaasm", "--target", "sm_90"], "--target is for PTX, and bf.visaasm is vISA"],
    [["bf.visaasm", "--arch", "sm_90"], "--arch is for PTX, and bf.visaasm is vISA"],
    [["bf.visaasm", "--async", "early"], "--async is for PTX, and bf.visaasm is vISA"],
    [[...add, "--async", "soon"], "late, early, or random:SEED"],
    [[...add, "--arch", "sm_85"], "unknown target sm_85"],
    [[...add, "--arch", "sm_61"], "sm_61 has no tensor cores"],
    [["bf.visaasm", "--ptx", "8.0"], "--ptx is for PTX, and bf.visaasm is vISA"],
    [[...add, "--seeds", "1..2", "--schedule", "random:7"], "--schedule random:7 and --seeds 1..2 cannot both"],
    [["visa", "disasm", "bf.visaasm", "--version", "3.6"], "--version is for asm"],
    [["explain", "fma.rn.f32", "--as", "f16"], "--as says how to read a value, and fma.rn.f32 is none"],
    [["explain", "add.u32", "a=1", "b=2", "--as", "f16"], "--as says how to read a value, and add.u32 is none"],
    [["isa", "visa", "--md"], "--format md is for the table of PTX, and visa is vISA"],
    [["isa", "visa.add", "--coverage"], "--format coverage is for the table of PTX, and visa.add is vISA"],
    [["isa", "--json", "--md"], "--json and --md cannot both be given"],
    [["isa", "--coverage", "--md"], "--md and --coverage cannot both be given"],
    [["isa", "-q"], "isa has no option -q"],
  ])("%j", async (argv, words) => {
    const { exit, err } = await world.ptxrun(argv);
    expect([exit, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it("in a line //@ args: too", async () => {
    world.write("both/a.ptx", "//@ args: --seeds 1..2 --schedule random:7\n//@ case it: -> a=1\nmov.u32 a, 1;\n");
    expect((await world.ptxrun(["check", "both"])).out).toContain("PTX7002: --schedule random:7 and --seeds 1..2");
  });
});

describe("options that are written in other ways", () => {
  it("--entry ? --output writes the list", async () => {
    const { out } = await world.ptxrun(["two.ptx", "--entry", "?"]);
    expect(await world.ptxrun(["two.ptx", "--entry", "?", "-o", "list"])).toEqual({ exit: 0, out: "", err: "" });
    expect(out).toContain("other");
    expect((await world.ptxrun(["two.ptx", "--entry", "?", "-o", "no/list"])).exit).not.toBe(0);
  });

  it("-qv is -q and -v, for a bug too", async () => {
    expect((await world.ptxrun(["explain", "-qv", "PTX2003"], broken())).err).toMatch(/Error: broken\n +at /);
    // A command without -v does not name it.
    expect((await world.ptxrun(["man"], broken())).err).not.toContain("With -v");
  });
});
