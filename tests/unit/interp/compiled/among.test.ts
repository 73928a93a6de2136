import { beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { CompiledProgram } from "../../../../src/interp/compiled/running/runner.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

/** Instructions that the module leaves to JavaScript. */
let outside: MockInstance<CompiledProgram["outside"]>;
beforeEach(() => {
  outside = vi.spyOn(CompiledProgram.prototype, "outside");
});

/** What a, b and c are: a differs by lane with repeats, b and c are numbers that a launch passes. */
const program = (operation: string, { guard = "" }: { readonly guard?: string } = {}): string => `.version 8.8
.target sm_100f
.address_size 64
.entry k(.param .b64 out, .param .b32 pb, .param .b32 pc, .param .b32 pm, .param .b32 stay)
{
  .reg .b32 t, a, b, c, d, m, s; .reg .b64 o, wa, w, wd; .reg .f32 f; .reg .pred p, q, x;
  ld.param.b64 o, [out]; ld.param.b32 b, [pb]; ld.param.b32 c, [pc]; ld.param.b32 m, [pm]; ld.param.b32 s, [stay];
  mov.u32 t, %tid.x;
  and.b32 a, t, 5; mul.lo.u32 a, a, 2654435761; shr.u32 d, t, 3; add.u32 a, a, d;
  mul.wide.u32 wa, a, 65537;
  setp.ge.u32 p, t, s;
  @p exit;
  and.b32 d, a, 0x807fffff; or.b32 d, d, 0x3f000000; mov.b32 f, d;
  mov.u32 d, 99; setp.gt.s32 q, a, 0; setp.lt.u32 p, t, 64;
  setp.eq.u32 x, t, 3;
  ${guard} ${operation}
  mul.wide.u32 w, t, 16; add.s64 o, o, w;
  st.u32 [o], d; st.f32 [o+4], f; st.u32 [o+12], a;
  selp.u32 d, 1, 0, q; st.u32 [o+8], d;
  ret;
}`;

const BLOCK = 96;

/** A launch that all but the lanes from `stay` on take part in. */
interface Launch {
  readonly b?: number;
  readonly c?: number;
  readonly m?: number;
  readonly stay?: number;
  readonly block?: number;
}

function results(text: string, { b = 0, c = 31, m = -1, stay = BLOCK, block = BLOCK }: Launch, executor: Executor) {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const out = device.buffer(new Uint8Array(16 * BLOCK));
  const { stop, session } = must(kernel.launch({ block, args: [out, b, c, m, stay], executor }))!;
  return {
    stop: stop.reason,
    steps: session.steps,
    findings: session.findings,
    out: [...new Uint32Array(out.read().buffer)],
  };
}

/** Both executors give the same; `inPlace`: without that JavaScript has executed the operation. */
function compare(
  operation: string,
  given: Launch = {},
  { guard, inPlace = true }: { guard?: string; inPlace?: boolean } = {},
) {
  const text = program(operation, guard === undefined ? {} : { guard });
  const expected = results(text, given, javascript);
  outside.mockClear();
  expect({ operation, ...results(text, given, compiled) }).toEqual({ operation, ...expected });
  expect(expected.stop).toBe("exit");
  if (inPlace) expect(outside).not.toHaveBeenCalled();
  else expect(outside).toHaveBeenCalled();
}

const modes = ["up", "down", "bfly", "idx"];
const numbers = [0, 1, 5, 16, 31, 37];
const segments = [0, 31, 0x181f, 0x1c03, 0x0a15, -1];

test.each(modes)("shfl.%s by numbers in the text", (mode) => {
  for (const b of numbers)
    for (const c of segments) compare(`shfl.sync.${mode}.b32 ${b % 2 ? "a|q" : "d|q"}, a, ${b}, ${c}, -1;`);
});

test.each(modes)("shfl.%s by registers", (mode) => {
  for (const b of numbers)
    for (const c of [31, 0x181f, 0x0a15])
      compare(`shfl.sync.${mode}.b32 ${b % 2 ? "a|q" : "d|q"}, a, b, c, m;`, { b, c });
  compare(`shfl.sync.${mode}.b32 d|q, a, t, c, m;`);
  compare(`shfl.sync.${mode}.b32 a, a, a, a, m;`);
});

const operations = [
  "vote.sync.ballot.b32 d, q, -1;",
  "vote.sync.ballot.b32 d, !q, m;",
  "vote.sync.all.pred q, q, m;",
  "vote.sync.all.pred q, p, m;",
  "vote.sync.any.pred q, q, m;",
  "vote.sync.any.pred q, !p, m;",
  "vote.sync.uni.pred q, q, m;",
  "vote.sync.uni.pred q, !p, m;",
  "match.any.sync.b32 d, a, m;",
  "match.any.sync.b32 a, a, m;",
  "match.any.sync.b64 d, wa, m;",
  "match.all.sync.b32 d|q, a, m;",
  "match.all.sync.b32 d|q, c, m;",
  "match.all.sync.b64 d|q, o, m;",
  "redux.sync.add.u32 d, a, m;",
  "redux.sync.add.s32 a, a, m;",
  "redux.sync.min.u32 d, a, m;",
  "redux.sync.min.s32 d, a, m;",
  "redux.sync.max.u32 d, a, m;",
  "redux.sync.max.s32 d, a, m;",
  "redux.sync.and.b32 d, t, m;",
  "redux.sync.or.b32 d, t, m;",
  "redux.sync.xor.b32 d, a, m;",
  "redux.sync.min.f32 f, f, m;",
  "redux.sync.max.abs.NaN.f32 f, f, m;",
  "activemask.b32 d;",
  "elect.sync d|q, m;",
  "bar.warp.sync m;",
];

test.each(operations)("%s of full warps", (operation) => {
  compare(operation);
});

const shuffles = ["shfl.sync.bfly.b32 a|q, a, 5, 31, m;", "shfl.sync.down.b32 d|q, a, b, c, m;"];

test.each([...operations, ...shuffles])("%s of warps that some lanes have left, or never had", (operation) => {
  // What a lane gets from one that is not there is JavaScript's business.
  const how = shuffles.includes(operation) ? { inPlace: false } : {};
  for (const stay of [7, 38, 65]) compare(operation, { stay, b: 3 }, how);
  compare(operation, { block: 75 }, how);
  // A membermask that names no more than those who are there.
  compare(operation, { stay: 6, m: 0x3f, b: 2 });
});

test("a guard that holds for all, or for none", () => {
  for (const guard of ["@p", "@!p"]) compare("shfl.sync.down.b32 d|q, a, 1, 31, -1;", { block: 64 }, { guard });
});

test("lanes that have to wait for others, and strangers, are left to JavaScript", () => {
  compare("vote.sync.ballot.b32 d, q, 0x8;", {}, { guard: "@x", inPlace: false });
  compare("redux.sync.add.u32 d, a, m;", { m: 8 }, { guard: "@x", inPlace: false });
  for (const m of ["-1", "m"]) {
    const vote = `vote.sync.ballot.b32 d, q, ${m};`;
    compare(`setp.lt.u32 x, t, 16; @x bra M; ${vote} bra E; M: ${vote} E:`, {}, { inPlace: false });
  }
});

/** Membermasks of tiles, of every other lane, and of lanes that hold the same. */
const groups = [
  ...[1, 4, 16].map((width) => `and.b32 m, t, ${32 - width}; shl.b32 m, ${2 ** width - 1}, m;`),
  "and.b32 m, t, 1; shl.b32 m, 0x55555555, m;",
  "match.any.sync.b32 m, a, -1;",
];
const apart = [...modes.map((mode) => `shfl.sync.${mode}.b32 d|q, a, 3, 31, m;`), ...shuffles];

test.each([...operations, ...apart].filter((operation) => operation.includes(" m;")))(
  "%s of groups of lanes",
  (operation) => {
    // The membermask may be what an operation reads, and where its result goes.
    const own = operation.replace(/(?<=sync\S* )d/, "m").replace(";", "; mov.b32 d, m;");
    for (const group of groups) compare(`${group} ${operation}`);
    for (const group of groups.slice(-2)) compare(`${group} ${own}`);
  },
);

test("a group's result that is the membermask of the next one", () => {
  compare("and.b32 m, t, 16; shl.b32 m, 65535, m; not.b32 d, m; redux.sync.or.b32 m, d, m; mov.b32 d, m;");
});

test("groups whose lanes are not those of their membermask are left to JavaScript", () => {
  const half = "and.b32 m, t, 16; shl.b32 m, 65535, m;";
  for (const wrong of ["@x mov.u32 m, 0x0000fff0;", "@x mov.u32 m, -1;", "setp.eq.u32 x, t, 40; @x xor.b32 m, m, 1;"]) {
    const text = program(`${half} ${wrong} vote.sync.ballot.b32 d, q, m;`);
    const expected = results(text, {}, javascript);
    expect(expected.stop).not.toBe("exit");
    expect(results(text, {}, compiled)).toEqual(expected);
  }
});

test("the race detector hears which groups of lanes have met", () => {
  const found = (other: number, executor: Executor) => {
    const text =
      program(`and.b32 m, t, 24; shl.b32 m, 255, m; shl.b32 b, t, 2; mov.u32 c, tile; add.u32 b, b, c; st.shared.u32 [b], t;
      vote.sync.any.pred q, q, m; xor.b32 b, t, ${other}; shl.b32 b, b, 2; add.u32 b, b, c; ld.shared.u32 d, [b];`);
    const device = new Device();
    const kernel = must(
      must(device.module(text.replace(".reg .b32 t", ".shared .b32 tile[128]; .reg .b32 t"))).kernel("k"),
    );
    const args = [device.buffer(new Uint8Array(16 * BLOCK)), 0, 31, -1, BLOCK];
    const sanitize = { mem: true, init: true, race: true };
    const { findings } = must(kernel.launch({ block: BLOCK, args, sanitize, executor, readableRegisters: false }))!;
    return findings.map(({ code, message }) => [code, message]);
  };
  for (const other of [1, 7]) for (const executor of [javascript, compiled]) expect(found(other, executor)).toEqual([]);
  expect(found(8, compiled)).toEqual(found(8, javascript));
  expect(found(8, compiled)).not.toEqual([]);
});
