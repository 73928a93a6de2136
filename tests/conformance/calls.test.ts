import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Buffer, Device, type Launch, type LaunchOptions, must } from "../../src/index.ts";

const compiled = (build: string): string =>
  gunzipSync(readFileSync(new URL(`../data/nvcc/calls.${build}.ptx.gz`, import.meta.url))).toString("utf8");

const head = ".version 9.0\n.target sm_90\n.address_size 64\n";

/** Launches kernel `k` of PTX text, or `kernel` of it, with a buffer of zeros in front of the other arguments. */
function launch(text: string, options: LaunchOptions & { kernel?: string; bytes?: number } = {}) {
  const { kernel = "k", bytes = 1024, args = [], ...rest } = options;
  const device = new Device();
  const out = device.buffer(new Uint8Array(bytes));
  const module = must(device.module(text.startsWith(".version") || text.startsWith("//") ? text : head + text));
  const launched = must(must(module.kernel(kernel)).launch({ ...rest, args: [out, ...(args as Buffer[])] }));
  return { launched, out };
}

const told = ({ stop, findings }: Launch): string[] => [
  ...(stop.reason === "trap" ? [`${stop.diagnostic.code} ${stop.diagnostic.message}`] : [stop.reason]),
  ...findings.map(({ code, message }) => `${code} ${message}`),
];

// The host's own recursion: JavaScript integers of this size are exact.
const ack = (m: number, n: number): number => (m === 0 ? n + 1 : ack(m - 1, n === 0 ? 1 : ack(m, n - 1)));
const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));

describe.each(["O3", "G"])("what nvcc -%s makes of calls.cu", (build) => {
  const text = compiled(build);

  it("recurses, by different ways in different lanes, with locals passed by address", () => {
    const { launched, out } = launch(text, { kernel: "recursion", block: 40, grid: 2 });
    expect(told(launched)).toEqual(["exit"]);
    const expected = Array.from({ length: 40 }, (_, t) => [ack(2, t % 4), fib(t % 11), (t + 1) % 2, t + 1]).flat();
    expect(out.toArray("s32").slice(0, 160)).toEqual(expected);
  });

  it("calls through tables of functions and of virtual ones, on objects from the device heap", () => {
    const { launched, out } = launch(text, { kernel: "pointers", block: 24 });
    expect(told(launched)).toEqual(["exit"]);
    const ops = [(a: number) => a + 5, (a: number) => a - 5, (a: number) => a * 5];
    const expected = Array.from({ length: 24 }, (_, t) => [ops[t % 3]?.(t), t & 1 ? t * t : 2 * t]).flat();
    expect(out.toArray("s32").slice(0, 48)).toEqual(expected);
  });

  it("prints, and stops at the assertion that does not hold", () => {
    const printed: string[] = [];
    const device = new Device();
    const kernel = must(must(device.module(text)).kernel("hello"));
    const run = must(kernel.launch({ block: 2, args: [0], print: (piece) => void printed.push(piece) }));
    expect(printed).toEqual([
      "thread 0 of 2:  0.00|abc   |x|123456789abc|(nil)|%|3.333333e-01\n",
      "thread 1 of 2:  1.50|abc   |x|123456789abc|(nil)|%|3.333333e-01\n",
    ]);
    expect(run.stop.reason === "trap" && run.stop.diagnostic.code).toBe("PTX3025");
    expect(told(run)[0]).toMatch(
      /calls\.cu:30: void hello\(int\): Assertion `n == \(int\)threadIdx\.x \|\| n < 0' failed, in thread \(1,0,0\)/,
    );
  });
});

describe("calls", () => {
  /** `start` is what a kernel does first: the thread's index in `t`, the place of its result in `o`. */
  const start =
    ".reg .b64 o, w, fp; .reg .b32 t, d, e; .reg .pred p; ld.param.b64 o, [out]; mov.u32 t, %tid.x; mul.wide.u32 w, t, 4; add.u64 o, o, w;";
  const kernel = (body: string): string => `.entry k(.param .b64 out) { ${start} ${body} st.global.b32 [o], d; ret; }`;

  it("return to where each lane was called from, whatever the others do", () => {
    const text = `.func (.reg .b32 r) f(.reg .b32 a) { .reg .pred q; setp.lt.u32 q, a, 3; mov.b32 r, 1; @q ret; mov.b32 r, 2; ret; }
      ${kernel("setp.lt.u32 p, t, 4; mov.b32 d, 100; @p call (d), f, (t); call (e), f, (t); mad.lo.u32 d, d, 10, e;")}`;
    const { launched, out } = launch(text, { block: 8 });
    expect(told(launched)).toEqual(["exit"]);
    expect(out.toArray("u32").slice(0, 8)).toEqual([11, 11, 11, 22, 1002, 1002, 1002, 1002]);
  });

  it("pass constants, registers and .param variables to .param and .reg parameters", () => {
    const text = `.func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 s[16])
      { .reg .b32 x, y; ld.param.b32 x, [a]; ld.param.b32 y, [s+12]; add.u32 x, x, y; st.param.b32 [r], x; ret; }
      .func (.reg .b32 r) g(.reg .b32 a, .reg .v2 .b32 v) { mad.lo.u32 r, v.y, 100, a; add.u32 r, r, v.x; ret; }
      ${kernel(`{ .param .align 8 .b8 s[16]; .param .b32 x; st.param.b32 [s+12], 30; st.param.b32 [x], 5;
        .reg .v2 .b32 v; mov.b32 v.x, 1; mov.b32 v.y, 2;
        call (x), f, (7, s); ld.param.b32 e, [x]; call (d), g, (x, v); mad.lo.u32 d, d, 1000, e; call (e), f, (t, s); add.u32 d, d, e; }`)}`;
    const { launched, out } = launch(text, { block: 2 });
    expect(told(launched)).toEqual(["exit"]);
    // f(7, 30) = 37; g(37, (1, 2)) = 238; 238037 + f(t, 30).
    expect(out.toArray("u32").slice(0, 2)).toEqual([238067, 238068]);
  });

  it("exchange arguments that are the parameters of a recursive function itself", () => {
    const text = `.func (.reg .b32 r) f(.reg .b32 n, .reg .b32 a, .reg .b32 b)
      { .reg .pred q; .reg .b32 m, s; setp.eq.u32 q, n, 0; shl.b32 s, a, 4; or.b32 r, s, b; @q ret; sub.u32 m, n, 1; call (r), f, (m, b, a); ret; }
      ${kernel("call (d), f, (t, 1, 2);")}`;
    const { launched, out } = launch(text, { block: 4 });
    expect(told(launched)).toEqual(["exit"]);
    expect(out.toArray("u32").slice(0, 4)).toEqual([0x12, 0x21, 0x12, 0x21]);
  });

  it("go through a register to different functions, by prototype, by list and by table", () => {
    const functions = `.func (.reg .b32 r) f(.reg .b32 a) { add.u32 r, a, 1; ret; } .func (.reg .b32 r) g(.reg .b32 a) { add.u32 r, a, 200; ret; }
      .global .u64 table[2] = { f, g };`;
    const pick = "mov.u64 fp, f; setp.gt.u32 p, t, 1; @p mov.u64 fp, g;";
    const bodies = [
      `${pick} l: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (d), fp, (t), l;`,
      `${pick} l: .calltargets f, g; call (d), fp, (t), l;`,
      `shr.u32 e, t, 1; mul.wide.u32 w, e, 8; mov.u64 fp, table; add.u64 fp, fp, w; ld.global.u64 fp, [fp]; call (d), fp, (t), table;`,
    ];
    for (const body of bodies) {
      const { launched, out } = launch(`${functions} ${kernel(body)}`, { block: 4 });
      expect(told(launched)).toEqual(["exit"]);
      expect(out.toArray("u32").slice(0, 4)).toEqual([1, 2, 202, 203]);
    }
  });

  it("reach a function by its other name, and a function of a function", () => {
    const text = `.func (.reg .b32 r) f(.reg .b32 a) { add.u32 r, a, 1; ret; } .visible .func (.reg .b32 r) other(.reg .b32 a);
      .alias other, f; .func (.reg .b32 r) g(.reg .b32 a) { call (r), other, (a); call (r), f, (r); ret; }
      ${kernel("call (d), g, (t);")}`;
    const { launched, out } = launch(text, { block: 3 });
    expect(told(launched)).toEqual(["exit"]);
    expect(out.toArray("u32").slice(0, 3)).toEqual([2, 3, 4]);
  });

  it("branch by index, each lane to its label", () => {
    const text = kernel(
      "l: .branchtargets A, B, A, C; brx.idx t, l; A: mov.b32 d, 10; bra E; B: mov.b32 d, 20; bra E; C: mov.b32 d, 30; E:",
    );
    const { launched, out } = launch(text, { block: 4 });
    expect(told(launched)).toEqual(["exit"]);
    expect(out.toArray("u32").slice(0, 4)).toEqual([10, 20, 10, 30]);
    expect(told(launch(text, { block: 5 }).launched)[0]).toBe(
      "PTX3023 brx.idx has index 4 and 4 labels, in thread (4,0,0) of block (0,0,0)",
    );
  });

  it("take room on the stack that a return gives back", () => {
    const text = `.func (.reg .b32 r) f(.reg .b32 a)
      { .reg .u64 s; alloca.u64 s, 1000, 32; st.local.b32 [s], a; ld.local.b32 r, [s]; cvt.u32.u64 a, s; and.b32 a, a, 31; add.u32 r, r, a; ret; }
      ${kernel("mov.b32 d, 0; mov.b32 e, 0; L: call (e), f, (t); add.u32 d, d, e; add.u32 t, t, 1; setp.lt.u32 p, t, 100; @p bra L;")}`;
    const { launched, out } = launch(text, { block: 1 });
    expect(told(launched)).toEqual(["exit"]);
    expect(out.toArray("u32")[0]).toBe((99 * 100) / 2);
  });

  it("end the run where they cannot go on, and say how they came there", () => {
    const deep = `.func f(.reg .b32 a) { .local .b8 room[100]; call f, (a); ret; } ${kernel("call f, (t); mov.b32 d, 0;")}`;
    const stack = launch(deep, { block: 1 }).launched;
    expect(told(stack)[0]).toBe(
      "PTX3020 call needs 100 bytes of the thread's stack where 32 of 16384 are left, in thread (0,0,0) of block (0,0,0)",
    );
    const related = stack.stop.reason === "trap" ? (stack.stop.diagnostic.related ?? []) : [];
    expect(related.map(({ message }) => message)).toEqual([
      ...Array<string>(5).fill("f is called here, by f"),
      `f is called here, by f, ${Math.floor(16384 / 112) - 5} calls deep`,
    ]);
    expect(told(launch(deep, { block: 1, stack: 160 }).launched)[0]).toContain("where 48 of 160 are left");
    const wild = kernel("mov.u64 fp, 5; l: .callprototype _ (); call fp, (), l; mov.b32 d, 0;");
    expect(told(launch(wild, { block: 1 }).launched)[0]).toMatch(/^PTX3021 call finds 0x5 in its register/);
    const other = `.func f(.param .b32 a) { ret; } ${kernel("mov.u64 fp, f; l: .callprototype _ (); call fp, (), l; mov.b32 d, 0;")}`;
    expect(told(launch(other, { block: 1 }).launched)[0]).toMatch(/^PTX3022 call calls f, which is not what/);
    const nobody = `.extern .func f(); ${kernel("call f; mov.b32 d, 0;")}`;
    expect(told(launch(nobody, { block: 1 }).launched)[0]).toMatch(
      /^PTX5001 call is not implemented: nothing defines f/,
    );
    const saved = kernel("mov.u64 w, 65536; stackrestore.u64 w; mov.b32 d, 0;");
    expect(told(launch(saved, { block: 1 }).launched)[0]).toMatch(/^PTX3024 stackrestore.u64 is given 0x10000/);
  });

  it("find a result that its function never wrote", () => {
    const text = `.func (.param .b32 r) f() { ret; } ${kernel("{ .param .b32 x; call (x), f; ld.param.b32 d, [x]; }")}`;
    expect(told(launch(text, { block: 1 }).launched)).toEqual([
      "exit",
      "PTX4001 ld.param.b32 reads 4 bytes at 0x0, which nothing has written, in thread (0,0,0) of block (0,0,0)",
    ]);
  });
});

describe("the device heap", () => {
  const heap = ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);";
  const start = ".reg .b64 o, a, b; .reg .b32 d; ld.param.b64 o, [out];";
  const malloc = (to: string, bytes: number): string =>
    `{ .param .b64 n, r; st.param.b64 [n], ${bytes}; call (r), malloc, (n); ld.param.b64 ${to}, [r]; }`;
  const free = (from: string): string => `{ .param .b64 n; st.param.b64 [n], ${from}; call free, (n); }`;
  const run = (body: string, options: LaunchOptions = {}) =>
    told(launch(`${heap} .entry k(.param .b64 out) { ${start} ${body} ret; }`, options).launched);

  it("gives memory of its own, aligned and uninitialised", () => {
    const use = `${malloc("a", 24)} ${malloc("b", 8)} st.b32 [a+20], 7; ld.b32 d, [a+20]; st.global.b32 [o], d; and.b64 a, a, 15; st.global.b64 [o+8], a;`;
    expect(run(use)).toEqual(["exit"]);
    expect(run(`${malloc("a", 24)} ld.b32 d, [a];`)).toEqual([
      "exit",
      expect.stringMatching(/^PTX4001 .*malloc\(24\) of thread \(0,0,0\)/),
    ]);
  });

  it("is finite, and gives back what is freed", () => {
    const { launched, out } = launch(
      `${heap} .entry k(.param .b64 out) { ${start} ${malloc("a", 600)} ${malloc("b", 600)} st.global.b64 [o], b; ${free("a")} ${malloc("b", 600)} setp.ne.u64 p, b, 0; selp.b64 b, 1, 0, p; st.global.b64 [o+8], b; ret; }`.replace(
        ".reg .b32 d;",
        ".reg .b32 d; .reg .pred p;",
      ),
      { heap: 1000 },
    );
    expect(told(launched)).toEqual(["exit"]);
    expect(out.toArray("u64").slice(0, 2)).toEqual([0n, 1n]);
  });

  it("tells of what is freed twice, not at its start, or used afterwards", () => {
    expect(run(free("0"))).toEqual(["exit"]);
    expect(run(`${malloc("a", 8)} ${free("a")} ${free("a")}`)[0]).toMatch(/^PTX3026 call is given .* freed already/);
    expect(run(`${malloc("a", 8)} add.u64 a, a, 4; ${free("a")}`)[0]).toMatch(/^PTX3026 .* lies in malloc\(8\)/);
    expect(run(free("o"))[0]).toMatch(/^PTX3026 .* which malloc did not return/);
    expect(run(`${malloc("a", 8)} ${free("a")} ld.b32 d, [a];`)[0]).toMatch(/^PTX3005 .* which the program has freed/);
  });
});
