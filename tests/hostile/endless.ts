import { type Hostile, limits } from "./corpus.ts";
import { header, kernel } from "./sizes.ts";

const one = (name: string, body: string, exits: readonly number[], ...more: string[]): Hostile => ({
  name,
  text: kernel(body),
  argv: ["run", "FILE", ...more, ...limits],
  exits,
});
const whole = (name: string, text: string, exits: readonly number[], ...more: string[]): Hostile => ({
  name,
  text: header + text,
  argv: ["run", "FILE", ...more, ...limits],
  exits,
});

/** Programs that never end by themselves: a limit ends them, or a fault. */
export function loops(): Hostile[] {
  const shared = ".shared .u32 s; .reg .u32 a; .reg .pred p;";
  return [
    one("itself", "L: bra L;", [6]),
    one("each other", "A: bra B; B: bra A;", [6]),
    one("with work", ".reg .u32 a; mov.u32 a, 0; L: add.u32 a, a, 1; bra L;", [6]),
    one("with 64-bit work", ".reg .u64 a; mov.u64 a, 1; L: mul.lo.u64 a, a, a; bra L;", [6]),
    one("with divisions", ".reg .u64 a; mov.u64 a, 7; L: div.u64 a, a, a; bra L;", [6]),
    one("with square roots", ".reg .f64 a; mov.f64 a, 0d7FEFFFFFFFFFFFFF; L: sqrt.rn.f64 a, a; bra L;", [6]),
    one("with sines", ".reg .f32 a; mov.f32 a, 0f7F7FFFFF; L: sin.approx.f32 a, a; bra L;", [6]),
    one("sleeping", "L: nanosleep.u32 1000000; bra L;", [6]),
    one(
      "waiting for a word",
      `${shared} st.shared.u32 [s], 0; L: ld.volatile.shared.u32 a, [s]; setp.eq.u32 p, a, 0; @p bra L;`,
      [6],
    ),
    one(
      "a lock that nobody frees",
      `${shared} st.shared.u32 [s], 1; L: atom.shared.exch.b32 a, [s], 1; setp.ne.u32 p, a, 0; @p bra L;`,
      [6],
    ),
    one(
      "one lane alone",
      ".reg .u32 a; .reg .pred p; mov.u32 a, %tid.x; setp.eq.u32 p, a, 7; L: @p bra L;",
      [6],
      "--block",
      "64",
    ),
    one(
      "every lane another way",
      ".reg .u32 a; .reg .pred p; mov.u32 a, %tid.x; L: and.b32 a, a, 31; setp.gt.u32 p, a, 15; @p bra M; add.u32 a, a, 3; bra L; M: add.u32 a, a, 5; bra L;",
      [6],
      "--block",
      "96",
    ),
    one("a full block", ".reg .f32 a; mov.f32 a, 0f3F800000; L: fma.rn.f32 a, a, a, a; bra L;", [6], "--block", "1024"),
    one("a million blocks", ".reg .u32 a; mov.u32 a, 0; L: add.u32 a, a, 1; bra L;", [6], "--grid", "1000000"),
    one("many short blocks", "", [0, 6], "--grid", "2000000000"),
    one("a branch by a table", ".reg .u32 a; mov.u32 a, 0; T: .branchtargets A, B; A: brx.idx a, T; B: bra A;", [6]),
    one("stores", ".global .u32 g; L: st.global.u32 [g], 1; bra L;", [3, 6]),
    one("atomics", ".shared .u32 s; st.shared.u32 [s], 0; L: red.shared.add.u32 [s], 1; bra L;", [6], "--block", "32"),
    whole("a function that calls itself", ".func f() { call f; ret; }\n.entry k() { call f; ret; }", [4]),
    whole(
      "two functions that call each other",
      ".func g();\n.func f() { call g; ret; }\n.func g() { call f; ret; }\n.entry k() { call f; ret; }",
      [4],
    ),
    whole(
      "a stack of locals",
      ".func f() { .local .b8 x[4096]; .reg .u64 a; mov.u64 a, x; st.local.u8 [a], 1; call f; ret; }\n.entry k() { call f; ret; }",
      [4, 6],
    ),
    whole("printing", printing("hi\\n"), [6]),
    whole("printing what moves the cursor", printing("\u001b[2J"), [6]),
    whole(
      "a heap that is never given back",
      ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.entry k() { .reg .u64 a;\nL: { .param .b64 n; .param .b64 r; st.param.b64 [n], 4096; call.uni (r), malloc, (n); ld.param.b64 a, [r]; }\nbra L; }",
      [4, 6],
    ),
    { ...one("seeds", "L: bra L;", [6], "--seeds", "0..4294967295") },
  ];
}

/** Device printf in a loop. */
function printing(text: string): string {
  const bytes = [...text.replace("\\n", "\n")].map((each) => each.codePointAt(0) ?? 0);
  return `.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[${bytes.length + 1}] = {${[...bytes, 0].join(", ")}};
.entry k() { .reg .b64 a;
  cvta.global.u64 a, text;
L: { .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], a; st.param.b64 [v], 0; call.uni (r), vprintf, (f, v); }
  bra L; }`;
}

/** Barriers that somebody never reaches. */
export function barriers(): Hostile[] {
  const lanes = ".reg .u32 t; .reg .pred p; mov.u32 t, %tid.x;";
  const two = ["--block", "64"];
  return [
    one("half of the block", `${lanes} setp.lt.u32 p, t, 32; @p bar.sync 0;`, [0, 4, 7], ...two),
    one("half of a warp", `${lanes} setp.lt.u32 p, t, 16; @p bar.sync 0;`, [0, 4, 7], ...two),
    one("more than there are", "barrier.sync 0, 96;", [4], ...two),
    one("each another barrier", `${lanes} setp.lt.u32 p, t, 32; @p bar.sync 1, 64; @!p bar.sync 2, 64;`, [4], ...two),
    one(
      "crosswise",
      `${lanes} setp.lt.u32 p, t, 32; @p bra A; bar.sync 1, 64; bar.sync 2, 64; bra E; A: bar.sync 2, 64; bar.sync 1, 64; E:`,
      [4],
      ...two,
    ),
    one("only arriving", "barrier.arrive 1, 96;", [0, 4, 7], ...two),
    one(
      "lanes that are gone",
      `${lanes} setp.lt.u32 p, t, 7; @p ret; bar.warp.sync 0xffffffff;`,
      [0, 4, 7],
      "--block",
      "32",
    ),
    one(
      "lanes elsewhere",
      `${lanes} setp.lt.u32 p, t, 7; @p bra A; bar.warp.sync 0xffffffff; bra E; A: L: bra L; E:`,
      [4, 6, 7],
      "--block",
      "32",
    ),
    one("a number that is none", "barrier.sync 16;", [3, 4]),
    one("a number from a register", `${lanes} add.u32 t, t, 999; barrier.sync t;`, [4, 7], ...two),
    one("a count that is no multiple of 32", "barrier.sync 0, 33;", [3, 4], ...two),
    one(
      "counts that differ",
      `${lanes} setp.lt.u32 p, t, 32; @p barrier.sync 0, 64; @!p barrier.sync 0, 96;`,
      [4],
      "--block",
      "96",
    ),
    one("a cluster that waits", "barrier.cluster.wait;", [4, 7, 0], "--grid", "2", "--cluster", "2"),
    one(
      "a spin behind a barrier",
      `${lanes} setp.lt.u32 p, t, 32; @p bra A; bar.sync 0; bra E; A: L: bra L; E:`,
      [6],
      ...two,
    ),
    one(
      "shuffles with lanes that are gone",
      `${lanes} setp.lt.u32 p, t, 7; @p ret; shfl.sync.idx.b32 t, t, 0, 31, 0xffffffff;`,
      [0, 4, 7],
      "--block",
      "32",
    ),
  ];
}
